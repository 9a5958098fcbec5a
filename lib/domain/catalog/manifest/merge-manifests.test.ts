import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyEditSeed, anyManifestText, editOf } from "@/tests/manifests/manifest-arbitrary";
import { newManifestText } from "./entry";
import { mergeManifests } from "./merge-manifests";
import { editManifest, outlineManifest } from "./outline-manifest";

const field = (name: string, more: object = {}) => ({
  name,
  title: name.toUpperCase(),
  type: "Text",
  ...more,
});
const manifest = (fields: unknown[], more: object = {}) =>
  `${JSON.stringify({ name: "acme/x", version: "1.0.0", app: { fields }, ...more }, null, 2)}\n`;

function merged(base: string, mine: string, theirs: string) {
  const result = mergeManifests(base, mine, theirs);
  if (result === undefined) throw new Error("nothing was merged");
  const value = JSON.parse(result.text) as { app?: { fields?: { name: string }[] } };
  return { ...result, value, names: (value.app?.fields ?? []).map(({ name }) => name) };
}

describe("properties", () => {
  const anyEdits = fc.array(anyEditSeed, { maxLength: 5 });

  /** A text, and what two people made of it. */
  const anyThree = fc.tuple(anyManifestText, anyEdits, anyEdits).map(([base, ...both]) => {
    const [mine, theirs] = both.map((seeds) => {
      const edit = (outline: ReturnType<typeof outlineManifest>, seed: (typeof seeds)[number]) =>
        outline.blocked.length > 0 ? outline : editManifest(outline, editOf(seed, outline.entries));
      return seeds.reduce(edit, outlineManifest(base)).text;
    });
    return { base, mine: mine ?? base, theirs: theirs ?? base };
  });

  test("what only they changed stays byte for byte; what only I changed is mine", () => {
    fc.assert(
      fc.property(anyThree, ({ base, mine, theirs }) => {
        expect(mergeManifests(base, base, theirs)).toEqual({ text: theirs, conflicts: [] });
        const taken = merged(base, mine, base);
        expect(taken.value).toEqual(JSON.parse(mine));
        expect(taken.conflicts).toEqual([]);
        expect(mergeManifests(base, mine, mine)).toEqual({ text: mine, conflicts: [] });
      }),
      { numRuns: 150 },
    );
  });

  test("any two changes merge into a text that can be edited", () => {
    fc.assert(
      fc.property(anyThree, ({ base, mine, theirs }) => {
        expect(outlineManifest(merged(base, mine, theirs).text).blocked).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test("any texts are merged or refused, without an exception", () => {
    const anyText = fc.oneof(anyManifestText, fc.string(), fc.json({ maxDepth: 5 }));
    fc.assert(
      fc.property(anyText, anyText, anyText, (base, mine, theirs) => {
        mergeManifests(base, mine, theirs);
      }),
      { numRuns: 200 },
    );
  });
});

test("additions of both are kept, in the order of each", () => {
  const base = manifest([field("a"), field("z")]);
  const { names, conflicts } = merged(
    base,
    manifest([field("a"), field("m1"), field("m2"), field("z")], { "x-mine": 1 }),
    manifest([field("a"), field("z"), field("t")], { "x-theirs": 1 }),
  );
  expect(names).toEqual(["a", "m1", "m2", "z", "t"]);
  expect(conflicts).toEqual([]);
});

test("changes of different members of one setting are both kept; of the same member, mine is kept and reported", () => {
  const { value, conflicts } = merged(
    manifest([field("a")]),
    manifest([field("a", { title: "Mine", hint: "H" })]),
    manifest([field("a", { title: "Theirs", required: true })]),
  );
  expect(value.app?.fields).toEqual([field("a", { title: "Mine", required: true, hint: "H" })]);
  expect(conflicts).toEqual([{ pointer: "/app/fields/0/title", mine: "Mine", theirs: "Theirs" }]);
});

test("a removal is merged, but conflicts with a change", () => {
  const base = manifest([field("a"), field("b"), field("c")]);
  const removed = manifest([field("c")]);
  const changed = manifest([field("a"), field("b", { title: "New" }), field("c")]);
  expect(merged(base, removed, changed)).toMatchObject({
    names: ["c"],
    conflicts: [{ pointer: "/app/fields/1", mine: undefined, theirs: field("b", { title: "New" }) }],
  });
  expect(merged(base, changed, removed)).toMatchObject({
    names: ["b", "c"],
    conflicts: [{ pointer: "/app/fields/0", mine: field("b", { title: "New" }), theirs: undefined }],
  });
});

test("a new order by one side is merged; if both reordered, theirs is used", () => {
  const [a, b, c] = [field("a"), field("b"), field("c")];
  const base = manifest([a, b, c]);
  expect(merged(base, manifest([c, a, b]), manifest([a, b, c, field("t")])).names).toEqual([
    "c",
    "t",
    "a",
    "b",
  ]);
  expect(merged(base, manifest([c, a, b]), manifest([b, a, c])).names).toEqual(["b", "a", "c"]);
});

test("their layout and unknown keys stay", () => {
  const base = newManifestText("acme/x");
  const mine = base.replace("1.0.0", "2.0.0");
  const theirs = '{"name":"acme/x",\r\n\t"x-own" : [1,  2],"version" :"1.0.0","app":{ "fields":[ ]}}';
  expect(merged(base, mine, theirs).text).toBe(theirs.replace("1.0.0", "2.0.0"));
});

test.each([
  "",
  "{",
  "[]",
  "null",
  '{"app":[]}',
  '{"app":{"fields":{}}}',
  '{"a":1,"a":2}',
  "[".repeat(10_000),
])("a text that can only be edited as text is not merged: %.40s", (broken) => {
  const good = newManifestText("acme/x");
  for (const three of [
    [broken, good, good],
    [good, broken, good],
    [good, good, broken],
  ] as const) {
    expect(mergeManifests(...three)).toBeUndefined();
  }
});
