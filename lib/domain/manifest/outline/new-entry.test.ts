import { expect, test } from "vitest";
import { LIFECYCLE_EVENTS } from "@/lib/contract/manifest-terms";
import { checkManifest } from "../check/check-manifest";
import { editManifest } from "./edit-manifest";
import { ENTRY_LISTS, type Outline } from "./entry";
import {
  freeName,
  freePath,
  INGREDIENTS,
  toEntryKind,
  newEntry,
  newManifestText,
  type Ingredient,
} from "./new-entry";
import { outlineManifest } from "./outline-manifest";

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

test("a new manifest stays valid while three entries of each kind are added, but for the first text of a Select", () => {
  let outline = outlineManifest(newManifestText("acme/vin-lookup"));
  for (const ingredient of [...INGREDIENTS, ...INGREDIENTS, ...INGREDIENTS]) {
    outline = add(outline, ingredient);
    const issues = checkManifest(outline.text).issues.map(({ pointer }) => pointer);
    expect(
      issues.filter((pointer) => !/^\/app\/fields\/\d\/values\/0\/text$/.test(pointer)),
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
