import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { anyManifest } from "@/tests/manifests/manifest-arbitrary";
import { compareManifests } from "./compare-manifests";

const BASE: Manifest = {
  name: "acme/x",
  version: "1.0.0",
  app: {
    fields: [
      {
        name: "region",
        title: "Region",
        type: "Select",
        values: [
          { text: "Europe", value: "eu" },
          { text: "America", value: "us" },
          { text: "Asia", value: "as" },
        ],
      },
      { name: "label", title: "Label", type: "Text" },
      { name: "key", title: "Key", type: "Password" },
    ],
  },
  core: {
    fields: [{ name: "vin", title: "VIN" }],
    webhooks: [{ path: "/events", events: ["policy.issued"] }],
    externalRaters: [{ name: "Telematics", path: "/rate" }],
    lifecycle: ["install"],
  },
};

/** The manifest after `change`, compared with the one before. */
function changesOf(change: (manifest: ReturnType<typeof draft>) => void) {
  const after = draft();
  change(after);
  return compareManifests(BASE, after as Manifest).map(({ kind, change, name, needsImage, details }) => ({
    what: `${change} ${kind} ${name}`,
    needsImage,
    details: details.map(({ member, before, after }) => `${member}: ${before} > ${after}`),
  }));
}

interface Loose {
  [key: string]: unknown;
}

function draft() {
  return structuredClone(BASE) as unknown as {
    name: string;
    version: string;
    app: { fields: (Loose & { values: Loose[] })[] } & Loose;
    core: Record<"fields" | "webhooks" | "externalRaters", Loose[]> & { lifecycle: string[] } & Loose;
  } & Loose;
}

test("a manifest does not differ from itself or from its next version number", () => {
  fc.assert(
    fc.property(anyManifest, (manifest) => {
      const value = manifest as Manifest;
      expect(compareManifests(value, { ...value, version: "9.9.9" })).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test("differences of any two manifests are found, and each entry that only one has is named", () => {
  fc.assert(
    fc.property(anyManifest, anyManifest, (one, other) => {
      const changes = compareManifests(one as Manifest, other as Manifest);
      const named = (change: string) =>
        changes.filter((each) => each.change === change && each.kind === "setting").map(({ name }) => name);
      const [before, after] = [one, other].map(({ app }) => (app?.fields ?? []).map(({ name }) => name));
      expect(named("added")).toEqual(after?.filter((name) => !before?.includes(name)));
      expect(named("removed")).toEqual(before?.filter((name) => !after?.includes(name)));
    }),
    { numRuns: 50 },
  );
});

describe("what needs a new image", () => {
  test.each<[string, (manifest: ReturnType<typeof draft>) => void]>([
    ["a title", ({ app }) => Object.assign(app.fields[0] ?? {}, { title: "New" })],
    ["a hint", ({ app }) => Object.assign(app.fields[0] ?? {}, { hint: "New" })],
    ["the text of a value", ({ app }) => Object.assign(app.fields[0]?.values[0] ?? {}, { text: "New" })],
    ["the order of values", ({ app }) => app.fields[0]?.values.reverse()],
    ["the order of settings", ({ app }) => app.fields.reverse()],
    ["the title of a mapping field", ({ core }) => Object.assign(core.fields[0] ?? {}, { title: "New" })],
    ["a rater's name", ({ core }) => Object.assign(core.externalRaters[0] ?? {}, { name: "New" })],
    ["unknown keys of an entry", ({ core }) => Object.assign(core.webhooks[0] ?? {}, { "x-own": 1 })],
    ["unknown keys of a value", ({ app }) => Object.assign(app.fields[0]?.values[0] ?? {}, { "x-own": 1 })],
    ["unknown keys around", (manifest) => Object.assign(manifest, { "x-own": { a: 1 } })],
    ["unknown keys of app", ({ app }) => Object.assign(app, { theme: "dark" })],
  ])("not %s", (_what, change) => {
    const changes = changesOf(change);
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.filter(({ needsImage }) => needsImage)).toEqual([]);
  });

  test.each<[string, (manifest: ReturnType<typeof draft>) => void]>([
    ["the app's name", (manifest) => Object.assign(manifest, { name: "acme/y" })],
    ["a setting's name", ({ app }) => Object.assign(app.fields[1] ?? {}, { name: "other" })],
    ["a setting's type", ({ app }) => Object.assign(app.fields[1] ?? {}, { type: "Password" })],
    ["required", ({ app }) => Object.assign(app.fields[1] ?? {}, { required: true })],
    ["sensitive", ({ app }) => Object.assign(app.fields[1] ?? {}, { sensitive: true })],
    ["a value more", ({ app }) => app.fields[0]?.values.push({ text: "Africa", value: "af" })],
    ["a value less", ({ app }) => app.fields[0]?.values.pop()],
    ["a setting less", ({ app }) => app.fields.pop()],
    ["a route", ({ core }) => Object.assign(core.webhooks[0] ?? {}, { path: "/other" })],
    ["an event", ({ core }) => Object.assign(core.webhooks[0] ?? {}, { events: ["policy.cancelled"] })],
    ["a rater's path", ({ core }) => Object.assign(core.externalRaters[0] ?? {}, { path: "/other" })],
    ["a lifecycle hook", ({ core }) => core.lifecycle.push("start")],
  ])("%s", (_what, change) => {
    expect(changesOf(change).some(({ needsImage }) => needsImage)).toBe(true);
  });
});

test("a renamed setting is a new one, and the old one is removed", () => {
  expect(changesOf(({ app }) => Object.assign(app.fields[1] ?? {}, { name: "tag" }))).toMatchObject([
    { what: "added setting tag" },
    { what: "removed setting label" },
  ]);
});

test("only moved entries count as moved, not those that an insertion shifted", () => {
  const move = changesOf(({ app }) => app.fields.unshift(...app.fields.splice(2, 1)));
  expect(move).toEqual([{ what: "moved setting key", needsImage: false, details: ["position: 3 > 1"] }]);
  const insertion = changesOf(({ app }) =>
    app.fields.unshift({ name: "first", title: "First", type: "Text", values: [] }),
  );
  expect(insertion.map(({ what }) => what)).toEqual(["added setting first"]);
});

test("values are compared one by one", () => {
  const [change] = changesOf(({ app }) => {
    const setting = app.fields[0];
    if (setting === undefined) return;
    setting.values = [
      { text: "America", value: "us" },
      { text: "EU", value: "eu" },
      { text: "Africa", value: "af" },
    ];
  });
  expect(change?.details).toEqual([
    'value "eu": Europe > EU',
    'value "af": undefined > Africa',
    'value "as": Asia > undefined',
    "order of values: eu, us > us, eu",
  ]);
});

// Guarantee: nobody is offered a check that the running image doesn't answer.
test("turning the configuration check on needs an image, turning it off or writing `false` does not", () => {
  const on: Manifest = { ...BASE, core: { ...BASE.core, configurationCheck: true } };
  const off: Manifest = { ...BASE, core: { ...BASE.core, configurationCheck: false } };
  expect(compareManifests(BASE, on)).toMatchObject([{ kind: "app", needsImage: true }]);
  expect(compareManifests(on, BASE)).toMatchObject([{ kind: "app", needsImage: false }]);
  expect(compareManifests(BASE, off)).toEqual([]);
});

test("`required: false` means the same as leaving it out", () => {
  expect(
    changesOf(({ app }) => Object.assign(app.fields[1] ?? {}, { required: false, sensitive: false })),
  ).toEqual([]);
});

test("invalid manifests are compared without a crash", () => {
  const odd = { name: 1, app: { fields: [null, 5, { name: 3 }, { name: "a", values: "x" }] }, core: [] };
  const other = { app: null, core: { webhooks: [[], "x"], lifecycle: [1, 1, {}] } };
  for (const [one, two] of [
    [odd, other],
    [other, odd],
    [odd, odd],
    [{}, odd],
  ]) {
    expect(() => compareManifests(one as unknown as Manifest, two as unknown as Manifest)).not.toThrow();
  }
});
