import { expect, test } from "vitest";
import type { ConfigurationChange, SecretLedger } from "@/lib/contract/installations/configuration-view";
import { describeCause, foldKept, groupChanges, listRestoredChanges } from "./revision-changes";

function setting(name: string, before?: string, after?: string): ConfigurationChange {
  return { kind: "setting", name, title: name.toUpperCase(), before, after };
}

function mapping(productName: string, name: string, before?: string, after?: string): ConfigurationChange {
  return { kind: "mapping", productName, name, title: name, before, after };
}

type Change = ConfigurationChange[];

/** Newest first; the first one is the current one. */
function createHistory(...revisions: [revision: number, changes: Change][]) {
  return revisions.map(([revision, changes], index) => ({
    revision,
    current: index === 0,
    changes,
    moreChanges: 0,
  }));
}

test("a restore shows the difference between now and then, over all revisions in between", () => {
  const history = createHistory(
    [4, [setting("region", "Asia", "Africa"), mapping("Auto", "vin", "$.b", "$.c")]],
    [3, [setting("region", "Europe", "Asia"), setting("note", undefined, "hello")]],
    [2, [mapping("Auto", "vin", "$.a", "$.b")]],
    [1, []],
  );
  expect(listRestoredChanges(history, 2)).toEqual([
    { kind: "setting", name: "region", title: "REGION", before: "Africa", after: "Europe" },
    { kind: "mapping", productName: "Auto", name: "vin", title: "vin", before: "$.c", after: "$.b" },
    { kind: "setting", name: "note", title: "NOTE", before: "hello", after: undefined },
  ]);
  expect(listRestoredChanges(history, 1)).toContainEqual({
    ...mapping("Auto", "vin", "$.c", "$.a"),
  });
});

test("a value that changed and changed back is not listed, and neither is a secret", () => {
  const history = createHistory(
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
  expect(listRestoredChanges(history, 1)).toEqual([]);
});

test("a restore lists no changes if revisions in between are missing", () => {
  const history = createHistory([5, []], [3, [setting("region", "Europe", "Asia")]]);
  expect(listRestoredChanges(history, 2)).toBeUndefined();
  expect(listRestoredChanges([], 2)).toBeUndefined();
  expect(listRestoredChanges(history.slice(1), 3)).toBeUndefined();
  // Revision 4 belonged to a failed upgrade. It never served, so nothing is missing between 3 and 5.
  expect(listRestoredChanges(history, 3)).toEqual([]);
});

test("a setting and a mapping field with one name are separate, whatever their names contain", () => {
  const history = createHistory(
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
  expect(listRestoredChanges(history, 1)).toHaveLength(4);
});

test("mappings are grouped by product; settings and secrets keep their order", () => {
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

test("each cause is described", () => {
  const describe = (
    cause: Parameters<typeof describeCause>[0]["cause"],
    restoredFrom: number | null = null,
  ) => describeCause({ cause, version: "1.1.0", restoredFrom });
  expect([
    describe("launch"),
    describe("configure"),
    describe("restore", 2),
    describe("upgrade"),
    describe("rollback"),
  ]).toEqual(["Launched", "Configured", "Restored revision 2", "Upgraded to 1.1.0", "Rolled back to 1.1.0"]);
});

test("a secret that was kept several times in a row is one line, and no other entry is hidden", () => {
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

// Guarantee: a restore over a revision with omitted changes lists none.
test("a revision with omitted changes", () => {
  const history = createHistory([3, [setting("a", "1", "2")]], [2, [setting("b", "1", "2")]], [1, []]);
  const cut = history.map((each) => ({ ...each, moreChanges: each.revision === 2 ? 9800 : 0 }));
  expect(listRestoredChanges(cut, 2)).toHaveLength(1);
  expect(listRestoredChanges(cut, 1)).toBeUndefined();
});
