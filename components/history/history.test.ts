import { expect, test } from "vitest";
import type { ConfigurationChange, SecretLedger } from "@/lib/contract/configuration-view";
import { groupChanges } from "./group-changes";
import { restoredChanges } from "./restored-changes";
import { causeWords, foldKept, notShownWords } from "./revision-words";

function setting(name: string, before?: string, after?: string): ConfigurationChange {
  return { kind: "setting", name, title: name.toUpperCase(), before, after };
}

function mapping(productName: string, name: string, before?: string, after?: string): ConfigurationChange {
  return { kind: "mapping", productName, name, title: name, before, after };
}

type Change = ConfigurationChange[];

/** Newest first; the first one is the current one. */
function historyOf(...revisions: [revision: number, changes: Change][]) {
  return revisions.map(([revision, changes], index) => ({
    revision,
    current: index === 0,
    changes,
    moreChanges: 0,
  }));
}

test("a restore is told as the way from now to then, over all revisions in between", () => {
  const history = historyOf(
    [4, [setting("region", "Asia", "Africa"), mapping("Auto", "vin", "$.b", "$.c")]],
    [3, [setting("region", "Europe", "Asia"), setting("note", undefined, "hello")]],
    [2, [mapping("Auto", "vin", "$.a", "$.b")]],
    [1, []],
  );
  expect(restoredChanges(history, 2)).toEqual([
    { kind: "setting", name: "region", title: "REGION", before: "Africa", after: "Europe" },
    { kind: "mapping", productName: "Auto", name: "vin", title: "vin", before: "$.c", after: "$.b" },
    { kind: "setting", name: "note", title: "NOTE", before: "hello", after: undefined },
  ]);
  expect(restoredChanges(history, 1)).toContainEqual({
    ...mapping("Auto", "vin", "$.c", "$.a"),
  });
});

test("what went away and came back is no change, and a secret is never one", () => {
  const history = historyOf(
    [3, [setting("region", "Asia", "Europe")]],
    [
      2,
      [
        setting("region", "Europe", "Asia"),
        { kind: "secret", name: "key", title: "Key", change: "replaced" } as const,
        { kind: "version", before: "1.0.0", after: "1.0.1" } as const,
      ],
    ],
    [1, []],
  );
  expect(restoredChanges(history, 1)).toEqual([]);
});

test("nothing is claimed of a restore when revisions in between are not known", () => {
  const history = historyOf([5, []], [3, [setting("region", "Europe", "Asia")]]);
  expect(restoredChanges(history, 2)).toBeUndefined();
  expect(restoredChanges([], 2)).toBeUndefined();
  expect(restoredChanges(history.slice(1), 3)).toBeUndefined();
  // Revision 4 was of an upgrade that failed: it never served, so there is nothing between 3 and 5.
  expect(restoredChanges(history, 3)).toEqual([]);
});

test("a setting and a product's field of one name are two things, whatever their names hold", () => {
  const history = historyOf(
    [
      2,
      [
        setting("vin", "1", "2"),
        mapping("A", "vin", "$.a", "$.b"),
        mapping('A","vin', "x", "$.a", "$.c"),
        mapping("__proto__", "vin", "$.a", "$.d"),
      ],
    ],
    [1, []],
  );
  expect(restoredChanges(history, 1)).toHaveLength(4);
});

test("mappings are grouped by product, and settings and secrets keep their order", () => {
  const secret: ConfigurationChange = { kind: "secret", name: "key", title: "Key", change: "set" };
  const grouped = groupChanges([
    setting("a", "1", "2"),
    secret,
    mapping("Auto", "vin"),
    mapping("Home", "roof"),
    mapping("Auto", "make"),
    { kind: "version", before: "1.0.0", after: "1.1.0" },
  ]);
  expect(grouped.settings.map((change) => change.name)).toEqual(["a", "key"]);
  expect(grouped.mappings.map((each) => [each.productName, each.fields.length])).toEqual([
    ["Auto", 2],
    ["Home", 1],
  ]);
  expect(grouped.version?.after).toBe("1.1.0");
});

test("each cause is told in words", () => {
  const words = (cause: Parameters<typeof causeWords>[0]["cause"], restoredFrom: number | null = null) =>
    causeWords({ cause, version: "1.1.0", restoredFrom });
  expect([
    words("launch"),
    words("configure"),
    words("restore", 2),
    words("upgrade"),
    words("rollback"),
  ]).toEqual(["Launched", "Configured", "Restored revision 2", "Upgraded to 1.1.0", "Rolled back to 1.1.0"]);
});

test("a secret that was kept many times in a row is one line, and no other entry is hidden", () => {
  const entry = (
    action: SecretLedger["entries"][number]["action"],
    revision: number,
  ): SecretLedger["entries"][number] => ({ action, revision, at: "2026-03-01T00:00:00.000Z", by: "Ada" });
  const folded = foldKept([
    entry("kept", 6),
    entry("kept", 5),
    entry("replaced", 4),
    entry("kept", 3),
    entry("kept", 2),
    entry("set", 1),
  ]);
  expect(folded.map(({ entry: { action, revision }, more }) => [action, revision, more.length])).toEqual([
    ["kept", 6, 1],
    ["replaced", 4, 0],
    ["kept", 3, 1],
    ["set", 1, 0],
  ]);
  expect(foldKept([{ ...entry("kept", 3), by: "Ben" }, entry("kept", 2)])).toHaveLength(2);
});

// Guarantee: what is cut off is counted, and nothing is claimed of a restore over it.
test("a revision that changed more than is told says so", () => {
  const history = historyOf([3, [setting("a", "1", "2")]], [2, [setting("b", "1", "2")]], [1, []]);
  const cut = history.map((each) => ({ ...each, moreChanges: each.revision === 2 ? 9800 : 0 }));
  expect(restoredChanges(cut, 2)).toHaveLength(1);
  expect(restoredChanges(cut, 1)).toBeUndefined();
  expect(notShownWords(200, 9800)).toBe("10,000 differences in all: the last 9,800 of them are not shown.");
});
