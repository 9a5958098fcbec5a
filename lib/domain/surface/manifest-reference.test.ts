import { expect, test } from "vitest";
import { manifestSchema } from "@/lib/contract/catalog/manifest";
import { DEFECTS, DEFECTS_OF_TEXT, SOUND_MANIFEST, withDefect } from "@/tests/manifests/manifest-defects";
import { checkManifest } from "../catalog/manifest/check-manifest";
import { FILE_CODES, listManifestKeys, MANIFEST_EXAMPLE } from "./manifest-reference";

const keys = listManifestKeys(manifestSchema("https://platform.example/schema"), MANIFEST_EXAMPLE);
const byPath = new Map(keys.map((key) => [key.path, key]));

test("every key has a description, and an example unless it contains other keys", () => {
  expect(keys.length).toBeGreaterThan(30);
  expect(keys.filter(({ description }) => description === "").map(({ path }) => path)).toEqual([]);
  const isLeaf = (path: string) =>
    !keys.some((other) => other.path.startsWith(`${path}.`) || other.path.startsWith(`${path}[].`));
  expect(
    keys.filter(({ path, example }) => isLeaf(path) && example === undefined).map(({ path }) => path),
  ).toEqual([]);
});

test("the example is valid", () => {
  expect(checkManifest(JSON.stringify(MANIFEST_EXAMPLE)).issues).toEqual([]);
});

const texts = [
  ...DEFECTS.map(([, place, value]) => JSON.stringify(withDefect(place, value))),
  ...DEFECTS_OF_TEXT.map(([, text]) => text),
  JSON.stringify(SOUND_MANIFEST).replace('"label"', '"apiToken"').replace('"Region"', '"Re\u202Egion"'),
  JSON.stringify({ name: "acme/x", version: "1.0.0", core: { configurationCheck: true } }),
];

test("whatever the validator reports about a key is listed with it", () => {
  const unlisted = texts
    .flatMap((text) => checkManifest(text).issues)
    .filter(({ code, pointer }) => {
      if (FILE_CODES.some((known) => known === code)) return false;
      const path = pointer
        .slice(1)
        .replace(/\/(\d+)/g, "[]")
        .replaceAll("/", ".");
      // An entry of a list belongs to the key of the list.
      const key = byPath.get(path) ?? byPath.get(path.replace(/\[\]$/, ""));
      return path !== "" && !key?.codes.some((known) => known === code);
    })
    .map(({ code, pointer }) => `${code} at ${pointer}`);
  expect([...new Set(unlisted)]).toEqual([]);
});
