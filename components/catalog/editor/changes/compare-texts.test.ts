import { expect, test } from "vitest";
import { compareTexts } from "./compare-texts";

const manifest = (fields: object[], more: object = {}) =>
  JSON.stringify({ name: "acme/app", version: "1.0.0", app: { fields }, ...more });
const text = (name: string, title: string) => ({ name, title, type: "Text" });

test("changes are grouped in one order, each once, with its setting type", () => {
  const before = manifest([text("a", "A"), text("b", "B"), text("c", "C"), text("gone", "Gone")]);
  const password = { name: "key", title: "Key", type: "Password" };
  const after = manifest([text("c", "C"), text("a", "A"), text("b", "Better"), password]);
  const compared = compareTexts(before, after);
  if (compared.type !== "changes") throw new Error("expected changes");
  expect(compared.groups.map(({ group, changes }) => [group, changes.map(({ name }) => name)])).toEqual([
    ["added", ["key"]],
    ["changed", ["b"]],
    ["moved", ["c"]],
    ["removed", ["gone"]],
  ]);
  expect(compared.groups[0]?.changes[0]?.shownAs).toBe("Password");
  expect({ count: compared.count, imageCount: compared.imageCount }).toEqual({ count: 4, imageCount: 2 });
});

test("a different format or version number is not a change, but is reported", () => {
  const one = manifest([]);
  expect(compareTexts(one, one)).toEqual({ type: "same", differentText: false });
  expect(compareTexts(one, one.replace("1.0.0", "1.1.0"))).toEqual({ type: "same", differentText: true });
  expect(compareTexts(one, `${one}\n`)).toEqual({ type: "same", differentText: true });
});

test("a text that is not a manifest is reported as unreadable", () => {
  const good = manifest([]);
  for (const bad of ["", "{", "null", "[]", "\u0000", manifest([{ name: "__proto__" }])]) {
    expect(compareTexts(good, bad)).toEqual({ type: "unreadable", which: "draft" });
    expect(compareTexts(bad, good)).toEqual({ type: "unreadable", which: "version" });
  }
});
