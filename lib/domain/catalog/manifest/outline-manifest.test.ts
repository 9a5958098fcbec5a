import { describe, expect, test } from "vitest";
import { getMember } from "../../platform/json-text/json-value";
import type { Entry, Outline } from "./entry";
import { editManifest, outlineManifest } from "./outline-manifest";

const setting = (name: string, more: object = {}) => ({
  name,
  title: name.toUpperCase(),
  type: "Text",
  ...more,
});
const text = (...fields: unknown[]) =>
  JSON.stringify(
    {
      app: { fields },
      core: { webhooks: [{ path: "/e", events: ["a"] }], lifecycle: ["start"] },
      name: "acme/x",
    },
    null,
    2,
  );

const THREE = text(setting("a"), setting("b"), setting("c"));

/** Which id each setting has. */
const ids = ({ entries }: Outline) =>
  Object.fromEntries(
    entries
      .filter(({ kind }) => kind === "setting")
      .map(({ id, value }) => [String(getMember(value, "name")), id]),
  );

test("entries are ordered by kind, then by index, each with its position in the text", () => {
  const outline = outlineManifest(THREE);
  expect(outline.entries.map(({ kind, path }) => `${kind} ${path.join(".")}`)).toEqual([
    "setting app.fields.0",
    "setting app.fields.1",
    "setting app.fields.2",
    "webhook core.webhooks.0",
    "lifecycle core.lifecycle.0",
  ]);
  for (const { offset, length, value } of outline.entries)
    expect(JSON.parse(THREE.slice(offset, offset + length))).toEqual(value);
  expect(outline).toMatchObject({ name: "acme/x", version: undefined, blocked: [] });
});

describe("an entry keeps its id", () => {
  const before = outlineManifest(THREE);

  test("when others are inserted before it, in the design or in the text", () => {
    const inserted = editManifest(before, {
      type: "insert",
      list: ["app", "fields"],
      index: 0,
      value: setting("n"),
    });
    const typed = outlineManifest(text(setting("n"), setting("a"), setting("b"), setting("c")), before);
    for (const outline of [inserted, typed]) {
      expect(ids(outline)).toMatchObject(ids(before));
      expect(new Set(Object.values(ids(outline))).size).toBe(4);
    }
  });

  test("when it moves, in the design or in the text", () => {
    const moved = editManifest(before, { type: "move", list: ["app", "fields"], from: [2], to: 0 });
    const typed = outlineManifest(text(setting("c"), setting("a"), setting("b")), before);
    expect(Object.keys(ids(moved))).toEqual(["c", "a", "b"]);
    for (const outline of [moved, typed]) expect(ids(outline)).toEqual(ids(before));
  });

  test("when it is renamed, and when that is undone", () => {
    const renamed = editManifest(before, { type: "set", path: ["app", "fields", 1, "name"], value: "z" });
    expect(ids(renamed)).toEqual({ a: ids(before).a, z: ids(before).b, c: ids(before).c });
    expect(ids(outlineManifest(THREE, renamed))).toEqual(ids(before));
  });

  test("when it is changed and moved at once", () => {
    const typed = outlineManifest(text(setting("c", { hint: "H" }), setting("a"), setting("b")), before);
    expect(ids(typed)).toEqual(ids(before));
  });

  test("while the text is invalid, and afterwards", () => {
    const broken = outlineManifest(`${THREE.slice(0, 40)},,`, before);
    expect(broken).toMatchObject({ entries: before.entries, name: "acme/x" });
    expect(broken.blocked.length).toBeGreaterThan(0);
    const fixed = outlineManifest(`\n${text(setting("b"), setting("a"), setting("c"))}`, broken);
    expect(ids(fixed)).toEqual(ids(before));
  });

  test("and its copy gets a new one", () => {
    const edit = { type: "duplicate", list: ["app", "fields"], index: 0, members: { name: "a2" } } as const;
    const copied = editManifest(before, edit);
    expect(ids(copied)).toMatchObject(ids(before));
    expect(Object.keys(ids(copied))).toEqual(["a", "a2", "b", "c"]);
  });
});

test("an edit of one entry keeps the objects of earlier entries and the values of later ones", () => {
  const before = outlineManifest(THREE);
  const after = editManifest(before, { type: "set", path: ["app", "fields", 1, "title"], value: "Longer" });
  const [a, b, c, webhook] = after.entries;
  expect(a).toBe(before.entries[0]);
  expect(b?.value).toEqual(setting("b", { title: "Longer" }));
  expect(c).not.toBe(before.entries[2]);
  expect(c?.value).toBe(before.entries[2]?.value);
  expect(webhook?.value).toBe(before.entries[3]?.value);
  const undone = outlineManifest(THREE, after);
  expect(undone.entries[0]).toBe(a);
  expect(undone.entries[2]?.value).toBe(c?.value);
});

test("many similar entries with long sources are matched quickly", () => {
  const many = (count: number, first: unknown) =>
    text(first, ...Array.from({ length: count }, () => setting("same", { hint: "h".repeat(8_000) })));
  const before = outlineManifest(many(100, setting("a")));
  const after = outlineManifest(many(99, setting("b")), before);
  expect(after.entries.slice(1, 100).map(({ id }) => id)).toEqual(
    before.entries.slice(1, 100).map(({ id }) => id),
  );
});

describe("texts that can only be edited as text say why, and where", () => {
  test.each([
    ["", "BROKEN_JSON", 1, 1],
    ['{\n  "a": ,\n}', "BROKEN_JSON", 2, 8],
    ["[]", "WRONG_TYPE", 1, 1],
    ["null", "WRONG_TYPE", 1, 1],
    ['{\n  "app": []\n}', "WRONG_TYPE", 2, 10],
    ['{ "app": null }', "WRONG_TYPE", 1, 10],
    ['{ "core": "x" }', "WRONG_TYPE", 1, 11],
    ['{ "app": { "fields": {} } }', "WRONG_TYPE", 1, 22],
    ['{ "core": { "lifecycle": null } }', "WRONG_TYPE", 1, 26],
    ['{\n "x": { "a": 1,\n "a": 2 } }', "DUPLICATE_KEY", 3, 2],
    [`{"app":{"fields":[${"1,".repeat(10_000)}1]}}`, "TOO_LONG", 1, 18],
    ["[".repeat(33), "TOO_DEEP", 1, 33],
    [`{"a":"${"x".repeat(1024 * 1024)}"}`, "TOO_LARGE", 1, 1],
    ["\uFEFF{}", "BYTE_ORDER_MARK", 1, 1],
  ])("%.40s", (broken, code, line, column) => {
    const outline = outlineManifest(broken);
    expect(outline.blocked[0]).toMatchObject({ code, line, column });
    expect(() => editManifest(outline, { type: "set", path: ["name"], value: "x" })).toThrow();
  });

  test.each([
    "{}",
    '{ "app": {} }',
    '{ "app": { "fields": [null, 1, [], "x", { "title": 5 }] }, "core": { "webhooks": [null] } }',
    '{ "x": { "__proto__": { "a": 1 } }, "n": "\\u0000" }',
  ])("but not those that are only wrong: %s", (wrong) => {
    const outline = outlineManifest(wrong);
    expect(outline.blocked).toEqual([]);
    const titled = (entry: Entry) =>
      editManifest(outline, { type: "set", path: [...entry.path, "title"], value: "T" });
    for (const entry of outline.entries) expect(() => titled(entry)).not.toThrow();
  });

  test("an edit that makes the text too large or too deep blocks the outline and keeps the text", () => {
    const outline = outlineManifest(THREE);
    const path = ["app", "fields", 0, "title"];
    for (const value of ["x".repeat(1024 * 1024), JSON.parse("[".repeat(30) + "]".repeat(30)) as unknown]) {
      const blocked = editManifest(outline, { type: "set", path, value });
      expect(blocked.blocked).toHaveLength(1);
      expect(JSON.parse(blocked.text)).toMatchObject({ app: { fields: [{ title: value }, {}, {}] } });
      expect(outlineManifest(THREE, blocked).entries).toEqual(outline.entries);
    }
  });
});
