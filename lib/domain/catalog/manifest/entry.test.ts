import fc from "fast-check";
import { expect, test } from "vitest";
import { mappingField } from "@/lib/contract/catalog/manifest";
import { LIFECYCLE_EVENTS } from "@/lib/contract/platform/manifest-terms";
import { checkManifest } from "./check-manifest";
import {
  deriveName,
  deriveValue,
  ENTRY_LISTS,
  followTitle,
  freeName,
  freePath,
  type Ingredient,
  INGREDIENTS,
  isDerivedValue,
  newEntry,
  newManifestText,
  type Outline,
  toEntryKind,
} from "./entry";
import { editManifest, outlineManifest } from "./outline-manifest";

function add(outline: Outline, ingredient: Ingredient): Outline {
  const value = newEntry(ingredient, outline.entries);
  if (value === undefined) return outline;
  return editManifest(outline, {
    type: "insert",
    list: ENTRY_LISTS[toEntryKind(ingredient)],
    index: 0,
    value,
  });
}

test("a new manifest stays valid while three entries of each kind are added, but for texts that only the publisher knows", () => {
  let outline = outlineManifest(newManifestText("acme/vin-lookup"));
  for (const ingredient of [...INGREDIENTS, ...INGREDIENTS, ...INGREDIENTS]) {
    outline = add(outline, ingredient);
    const issues = checkManifest(outline.text).issues.map(({ pointer }) => pointer);
    expect(
      issues.filter((pointer) => !/^\/app\/fields\/\d\/values\/0\/text$|\/(purpose|hosts?)$/.test(pointer)),
      ingredient,
    ).toEqual([]);
  }
});

test("settings can be added to a manifest that has no `app`", () => {
  const outline = add(outlineManifest('{ "name": "acme/x-y", "version": "1.0.0" }'), "Text");
  expect(checkManifest(outline.text).issues).toEqual([]);
});

test("each lifecycle hook can be added once", () => {
  let outline = outlineManifest(newManifestText("acme/vin-lookup"));
  for (const _event of LIFECYCLE_EVENTS) outline = add(outline, "lifecycle");
  expect(outline.entries.map(({ value }) => value).sort()).toEqual([...LIFECYCLE_EVENTS].sort());
  expect(newEntry("lifecycle", outline.entries)).toBeUndefined();
});

test("a free name is free among entries of its kind, and a free path among all", () => {
  const { entries } = outlineManifest(
    JSON.stringify({
      app: { fields: [null, { name: "a" }, { name: "a2" }, { name: 5 }] },
      core: { webhooks: [{ path: "/x" }], autofill: ["odd"] },
    }),
  );
  expect(freeName("a", entries, "setting")).toBe("a3");
  expect(freeName("a", entries, "mapping")).toBe("a");
  expect(freePath("/x", entries)).toBe("/x2");
});

test.each([
  ["API key", "apiKey"],
  ["VIN field", "vinField"],
  ["Région d'été", "regionDEte"],
  ["2nd driver", "ndDriver"],
  ["2 drivers", "drivers"],
  ["42", ""],
  ["Choice", "choice"],
  ["地域", ""],
  ["", ""],
])("the title %j makes the name %j", (title, name) => {
  expect(deriveName(title)).toBe(name);
});

test("a name follows its title, keystroke by keystroke, through an empty title", () => {
  let entry = { name: "choice", title: "Choice" };
  for (const title of ["Choic", "", "A", "API", "API key", "地域", "Region"]) {
    const name = followTitle(entry, title, "choice", ["region"]);
    entry = { name: name ?? "not followed", title };
  }
  expect(entry.name).toBe("region2");
});

test("an edited name stays, and an emptied one follows again", () => {
  expect(followTitle({ name: "key", title: "API key" }, "Secret", "text", [])).toBeUndefined();
  expect(followTitle({ name: "apiKeyOld", title: "API key" }, "Secret", "text", [])).toBeUndefined();
  expect(followTitle({ name: 7, title: "API key" }, "Secret", "text", [])).toBeUndefined();
  expect(followTitle({ name: "", title: "API key" }, "Secret", "text", [])).toBe("secret");
});

test("every title makes a valid name that is not taken", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.boolean(), (title, isTaken) => {
      const base = followTitle({ name: "", title: "" }, title, "field", []) ?? "";
      const name = followTitle({ name: "", title: "" }, title, "field", isTaken ? [base] : []) ?? "";
      expect(mappingField.safeParse({ name, title: "T" }).success).toBe(true);
      expect(name === base).toBe(!isTaken);
    }),
  );
  expect(followTitle({ name: "", title: "" }, "Constructor", "field", [])).toBe("constructor2");
});

test("a value made from its text is recognized, with the number that made it unique", () => {
  expect(deriveValue("North America")).toBe("north-america");
  expect(isDerivedValue("north-america-2", "North America")).toBe(true);
  expect(isDerivedValue("", "")).toBe(true);
  expect(isDerivedValue("us", "North America")).toBe(false);
  expect(isDerivedValue("", "None")).toBe(false);
});
