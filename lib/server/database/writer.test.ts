import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { createWriter } from "./writer";

const log = { warn: () => undefined };
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
