import { expect, test } from "vitest";
import { DEMO_APPS } from "./apps";
import { CATALOG, PHOTO_ESTIMATES } from "./catalog";

const SCHEDULED =
  /\b(every|each) (minute|hour|day|night|week|month)\b|\b(hourly(?! rate)|daily|nightly|weekly)\b/i;
const STORED = /\b(stores?|keeps?|remembers?|learns?)\b/i;

// Guarantee: the demo promises nothing that an app of this platform can't do: an app has no storage and no timer.
test("no app of the demo says that it stores something or does something on a schedule", () => {
  const apps = [...CATALOG.flatMap(({ apps }) => apps), PHOTO_ESTIMATES];
  const texts = [
    ...DEMO_APPS.map(({ tagline, about, requirements }) => [tagline, about, requirements]),
    ...apps.map(({ app: _settings, core: _core, ...text }) => text),
  ].map((text) => JSON.stringify(text));
  expect(texts).toHaveLength(DEMO_APPS.length + apps.length);
  for (const promise of [SCHEDULED, STORED]) expect(texts.filter((text) => promise.test(text))).toEqual([]);
});
