import { expect, test } from "vitest";
import { detailsToShow, effectOf, keptInWords, topicsOf, type OfferedChange } from "./change-words";
import { sampleOffer } from "@/tests/sample-offer";

function change(kind: string, what: OfferedChange["change"], name: string): OfferedChange {
  return { kind, change: what, name, title: name, details: [] };
}

test("changes are told by topic; a move is only counted, and an unknown kind is not left out", () => {
  const topics = topicsOf([
    change("webhook", "changed", "/events"),
    change("setting", "removed", "a"),
    change("setting", "added", "b"),
    change("setting", "moved", "c"),
    change("surprise", "changed", "d"),
  ]);
  expect(topics.map(({ id, changes, moved }) => [id, changes.map(({ name }) => name), moved])).toEqual([
    ["settings", ["b", "a"], 1],
    ["routes", ["/events"], 0],
    ["app", ["d"], 0],
  ]);
  expect(topicsOf([])).toEqual([]);
});

test("a route that comes or goes says what becomes of its calls", () => {
  expect(effectOf(change("webhook", "removed", "/a"), "2.0.0")).toContain("end once 2.0.0 serves");
  expect(effectOf(change("rater", "added", "/a"), "2.0.0")).toContain("address");
  expect(effectOf(change("setting", "removed", "a"), "2.0.0")).toBeUndefined();
});

test("an entry that is new does not repeat its title below its head", () => {
  const added: OfferedChange = {
    ...change("setting", "added", "note"),
    title: "Note",
    details: [
      { member: "title", before: undefined, after: "Note" },
      { member: "type", before: undefined, after: "Text" },
    ],
  };
  expect(detailsToShow(added).map(({ member }) => member)).toEqual(["type"]);
  expect(detailsToShow({ ...added, change: "changed" })).toHaveLength(2);
});

test("what is kept is counted without what is asked again", () => {
  expect(keptInWords(sampleOffer())).toBe("1 setting, 1 secret and the mapping of 1 product");
  expect(keptInWords({ settings: [], mappings: [], asks: [] })).toBe("");
});
