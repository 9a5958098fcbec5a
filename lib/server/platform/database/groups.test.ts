import { setImmediate as turn } from "node:timers/promises";
import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { createGroups, createWriter } from "./groups";

/** Runs that end when the test says so. */
function givenRuns(limits: Partial<{ lanes: number; items: number; bytes: number }> = {}) {
  const runs: { items: string[]; end: () => void; fail: (error: Error) => void }[] = [];
  const groups = createGroups<string, string>(
    { lanes: 1, items: 4, bytes: 100, ...limits },
    (items) =>
      new Promise((resolve, reject) =>
        runs.push({ items, end: () => resolve(items.map((item) => `${item}!`)), fail: reject }),
      ),
  );
  return { runs, groups };
}

// Guarantee: what arrives while a statement runs goes together into the next one, and everyone gets their own result.
test("items that arrive during a run form the next group", async () => {
  const { runs, groups } = givenRuns();
  const first = groups.add("a", "1", 1);
  await turn();
  const rest = ["2", "3"].map((item) => groups.add("a", item, 1));
  await turn();
  expect(runs.map(({ items }) => items)).toEqual([["1"]]);
  runs[0]?.end();
  expect(await first).toBe("1!");
  await turn();
  runs[1]?.end();
  expect(await Promise.all(rest)).toEqual(["2!", "3!"]);
  expect(runs.map(({ items }) => items)).toEqual([["1"], ["2", "3"]]);
});

test("items that arrive together go together, even if nothing runs", async () => {
  const { runs, groups } = givenRuns({ lanes: 2 });
  for (const item of ["1", "2", "3"]) void groups.add("a", item, 1);
  await turn();
  expect(runs.map(({ items }) => items)).toEqual([["1", "2", "3"]]);
});

// Guarantee: a flood of one key delays another key's item by no more than the groups that already run.
test("keys take turns", async () => {
  const { runs, groups } = givenRuns();
  for (let n = 0; n < 10; n += 1) void groups.add("flood", `f${n}`, 1);
  await turn();
  void groups.add("other", "o1", 1);
  void groups.add("other", "o2", 1);
  runs[0]?.end();
  await turn();
  expect(runs[0]?.items).toEqual(["f0", "f1", "f2", "f3"]);
  expect(runs[1]?.items.toSorted()).toEqual(["f4", "f5", "o1", "o2"]);
  runs[1]?.end();
  await turn();
  expect(runs[2]?.items).toEqual(["f6", "f7", "f8", "f9"]);
});

test("a group is bounded in bytes; an item that is larger alone goes alone", async () => {
  const { runs, groups } = givenRuns();
  for (const [item, bytes] of [
    ["small", 10],
    ["huge", 500],
    ["large", 90],
    ["tiny", 10],
  ] as const)
    void groups.add("a", item, bytes);
  for (let n = 0; n < 3; n += 1) {
    await turn();
    runs[n]?.end();
  }
  await turn();
  expect(runs.map(({ items }) => items)).toEqual([["small"], ["huge"], ["large", "tiny"]]);
});

test("a group that fails rejects its items, and the next one runs", async () => {
  const { runs, groups } = givenRuns();
  const first = groups.add("a", "1", 1);
  await turn();
  const second = groups.add("a", "2", 1);
  runs[0]?.fail(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  await turn();
  runs[1]?.end();
  expect(await second).toBe("2!");
});

const log = { error: () => undefined, warn: () => undefined, info: () => undefined };
const failure = (code: string) => Object.assign(new DatabaseError("no", 0, "error"), { code });

// Guarantee: what arrives together, or while a statement runs, costs one statement.
test("items that arrive together or during a write are written together", async () => {
  const writes: string[][] = [];
  let release = () => undefined as void;
  const first = new Promise<void>((resolve) => (release = resolve));
  const write = createWriter<string>(log, async (items) => {
    writes.push([...items]);
    if (writes.length === 1) await first;
  });
  const early = ["1", "2"].map(write);
  await expect.poll(() => writes.length).toBe(1);
  const late = ["3", "4", "5"].map(write);
  release();
  await Promise.all([...early, ...late]);
  expect(writes).toEqual([
    ["1", "2"],
    ["3", "4", "5"],
  ]);
});

// Guarantee: a database that restarts loses nothing, and one bad item keeps no other from being written.
test("a write is tried again while the database is away, and one refused item fails alone", async () => {
  const written: string[] = [];
  let tries = 0;
  const write = createWriter<string>(log, async (items) => {
    tries += 1;
    if (tries <= 2) throw failure("57P03");
    if (items.includes("bad")) throw failure("22003");
    written.push(...items);
  });
  const outcomes = await Promise.allSettled(["one", "bad", "two"].map(write));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(outcomes[1]).toMatchObject({ reason: { code: "22003" } });
  expect(written).toEqual(["one", "two"]);
});
