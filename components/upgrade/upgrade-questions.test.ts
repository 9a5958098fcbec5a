import { expect, test } from "vitest";
import { sampleOffer } from "@/tests/sample-offer";
import {
  answersToSend,
  askedOf,
  countOf,
  issuesOf,
  isTouched,
  NO_ANSWERS,
  offeredOf,
  pathIn,
  valueOf,
  withPath,
  withSkip,
  withValue,
} from "./upgrade-questions";

const offer = sampleOffer();

const answered = withPath(
  withSkip(
    withValue(withValue(NO_ANSWERS, "endpoint", "https://api.example"), "currency", "USD"),
    "discount",
    true,
  ),
  "/mappings/Auto/birthDate",
  " $.driver.birthDate ",
);

// Guarantee: an upgrade asks for what it needs, and for nothing that is there.
test("only what is asked and what is offered has an input", () => {
  expect(askedOf(offer).settings.map(({ setting }) => setting.name)).toEqual([
    "endpoint",
    "currency",
    "discount",
  ]);
  expect(askedOf(offer).mappings.map(({ fields }) => fields.map(({ name }) => name))).toEqual([
    ["birthDate"],
  ]);
  expect(offeredOf(offer).settings.map(({ setting }) => setting.name)).toEqual(["note"]);
  expect([countOf(askedOf(offer)), countOf(offeredOf(offer))]).toEqual([4, 2]);
});

test("what is kept is not sent: secrets, settings and paths", () => {
  expect(answersToSend(offer, answered)).toEqual({
    settings: {
      endpoint: { action: "set", value: "https://api.example" },
      currency: { action: "set", value: "USD" },
      discount: { action: "clear" },
    },
    mappings: { Auto: { birthDate: "$.driver.birthDate" } },
  });
  expect(issuesOf(offer, answered)).toEqual([]);
});

test("before anything is answered, exactly what is asked is named", () => {
  expect(issuesOf(offer, NO_ANSWERS).map(({ pointer }) => pointer)).toEqual(
    offer.asks.map(({ pointer }) => pointer),
  );
  expect(isTouched(NO_ANSWERS)).toBe(false);
});

test("skipping is for what the app does without, and only where it is asked", () => {
  const skip = Object.fromEntries(
    askedOf(offer).settings.map(({ setting, maySkip }) => [setting.name, maySkip]),
  );
  expect(skip).toEqual({ endpoint: false, currency: true, discount: true });
  const forced = withSkip(NO_ANSWERS, "endpoint", true);
  expect(answersToSend(offer, forced).settings).toEqual({});
  expect(issuesOf(offer, forced)[0]?.pointer).toBe("/settings/endpoint");
});

test("a stored choice that is not offered any more is not chosen, and a secret is in no input", () => {
  const shown = askedOf(offer).settings.map((question) => valueOf(question, NO_ANSWERS));
  expect(shown).toEqual([undefined, undefined, undefined]);
});

test("an input that is emptied stays empty", () => {
  const [first] = askedOf(offer).settings;
  if (first === undefined) throw new Error("nothing is asked");
  const question = { ...first, choices: { ...first.choices, shown: "stored" } };
  expect(valueOf(question, NO_ANSWERS)).toBe("stored");
  expect(valueOf(question, withValue(NO_ANSWERS, "endpoint", undefined))).toBeUndefined();
});

test("offers are sent only when they are filled in", () => {
  const some = withPath(withValue(answered, "note", "Ask first"), "/mappings/Auto/parking", "$.parking");
  expect(answersToSend(offer, some)).toMatchObject({
    settings: { note: { action: "set", value: "Ask first" } },
    mappings: { Auto: { birthDate: "$.driver.birthDate", parking: "$.parking" } },
  });
});

test("a stored path that is asked again stands in its input, and may be emptied where it is optional", () => {
  const again = sampleOffer({
    mappings: [{ productName: "Auto", fields: { parking: "$..parking[" } }],
    asks: [{ code: "mapping-path", pointer: "/mappings/Auto/parking", message: "Not a path." }],
    offers: [],
  });
  expect(pathIn(again, NO_ANSWERS, "Auto", "parking")).toBe("$..parking[");
  expect(issuesOf(again, NO_ANSWERS)).toMatchObject([{ code: "mapping-path" }]);
  const emptied = withPath(NO_ANSWERS, "/mappings/Auto/parking", "");
  expect(answersToSend(again, emptied).mappings).toEqual({ Auto: { parking: "" } });
  expect(issuesOf(again, emptied)).toEqual([]);
});

test("no issue repeats a value", () => {
  const typed = withValue(NO_ANSWERS, "discount", "canary-91\0");
  expect(JSON.stringify(issuesOf(offer, typed))).not.toContain("canary-91");
});
