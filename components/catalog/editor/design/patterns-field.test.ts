import { expect, test } from "vitest";
import { editText } from "@/lib/domain/platform/json-text/edit-text";
import { listEdit } from "./patterns-field";

const LISTS = [[], ["a"], ["a", "b"], ["a", "c"], ["b", "a"], ["a", "a", "b"], ["x", "y", "z"]];

test("the edit turns any list into any other", () => {
  for (const before of LISTS) {
    for (const after of LISTS) {
      const edit = listEdit(["list"], before, after);
      const text = JSON.stringify({ list: before });
      const changed: unknown = JSON.parse(edit === undefined ? text : editText(text, edit));
      expect(changed).toEqual({ list: after });
    }
  }
});

test("changing, adding or removing one line keeps the formatting of the others", () => {
  const text = '{ "list": [ "a",    "b" ] }';
  const edited = (...after: string[]) =>
    editText(text, listEdit(["list"], ["a", "b"], after) ?? { type: "set", path: [], value: 0 });
  expect(edited("a", "bc")).toBe('{ "list": [ "a",    "bc" ] }');
  expect(edited("x", "b")).toBe('{ "list": [ "x",    "b" ] }');
});
