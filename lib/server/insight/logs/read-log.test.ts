import { eq } from "drizzle-orm";
import { v7 } from "uuid";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { memberships } from "@/drizzle/schema/accounts";
import type { LogChanges, LogEntry } from "@/lib/contract/insight/app-log";
import type { LogFilter } from "@/lib/contract/insight/filters";
import { Problem } from "@/lib/contract/platform/problem";
import type { Member } from "@/lib/domain/platform/actor";
import { givenLogWorld } from "@/tests/given-logs";
import { givenMember, testPlatform } from "@/tests/test-platform";
import type { LiveEvent } from "../../accounts/live-list";
import { listEntries, openLog } from "./read-log";
import { streamEntries, writeLogFile } from "./stream-log";

const platform = await testPlatform();

let world: Awaited<ReturnType<typeof givenLogWorld>>;
beforeEach(async () => {
  world = await givenLogWorld(platform, `acme-${v7().slice(-8)}`);
});

const START = Date.parse("2026-11-20T10:00:00.000Z");
const at = (ms: number) => new Date(START + ms);
const name = (entry: LogEntry) => (entry.kind === "line" ? entry.text : entry.event);

const list = (filter: LogFilter = {}, before?: string, member: Member = world.publisher) =>
  listEntries(platform, member, world.subject, filter, before);
const names = async (filter: LogFilter) => (await list(filter)).entries.map(name);

/** All pages, oldest first. */
async function listAll(filter: LogFilter = {}) {
  const entries: LogEntry[] = [];
  let before: string | undefined;
  do {
    const page = await list(filter, before);
    entries.unshift(...page.entries);
    before = page.next;
  } while (before !== undefined);
  return entries;
}

/** Reads a stream until the test ends. */
async function follow(filter: LogFilter = {}, after?: string, checkMs?: number) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const events: LiveEvent<LogChanges>[] = [];
  const following = { after, signal: abort.signal, checkMs };
  const stream = await streamEntries(platform, world.publisher, world.subject, filter, following);
  void (async () => {
    for await (const event of stream) events.push(event);
  })();
  await expect.poll(() => events.length).toBeGreaterThan(0);
  const seen = () =>
    events.flatMap((event) => (event.event === "changes" ? event.data.entries.map(name) : []));
  return { events, seen };
}

// Guarantee: history loses and repeats nothing, although many lines have the same time and events are stored elsewhere.
test("pages reach the oldest entry, each once, in the order of their times", async () => {
  const { store, note } = world;
  await note("started", at(-1));
  await store(Array.from({ length: 250 }, (_, index) => ({ text: `early ${index}`, at: at(0) })));
  await note("failing", at(0));
  await note("recovered", at(5));
  await store(Array.from({ length: 250 }, (_, index) => ({ text: `late ${index}`, at: at(10) })));
  // Stored by a worker that took over, later than it was written.
  await store([{ text: "delayed", at: at(7) }]);
  const entries = await listAll();
  expect(entries.map(name)).toEqual([
    "started",
    "failing",
    ...Array.from({ length: 250 }, (_, index) => `early ${index}`),
    "recovered",
    "delayed",
    ...Array.from({ length: 250 }, (_, index) => `late ${index}`),
  ]);
});

test("filters narrow the lines, and the platform's marks stay until a search", async () => {
  const { store, note } = world;
  await note("started", at(0));
  await store([
    { text: "100% sure", at: at(1) },
    { text: "1000 sure", at: at(2), stream: "stderr" },
    { text: '{"level":50}', at: at(3), level: "error", stream: "stderr" },
    { text: "12 lines dropped", at: at(4), stream: "platform" },
    { text: "elsewhere", at: at(5), instanceId: v7() },
  ]);
  expect(await names({ stream: "stderr" })).toEqual([
    "started",
    "1000 sure",
    '{"level":50}',
    "12 lines dropped",
  ]);
  expect(await names({ level: "error" })).toEqual(['{"level":50}', "12 lines dropped"]);
  expect(await names({ q: "100% SURE" })).toEqual(["100% sure"]);
  expect(await names({ q: "dropped" })).toEqual(["12 lines dropped"]);
  expect(await names({ instance: world.instanceId, stream: "stdout" })).toEqual([
    "started",
    "100% sure",
    "12 lines dropped",
  ]);
  expect(await names({ from: at(2).toISOString(), to: at(4).toISOString() })).toEqual([
    "1000 sure",
    '{"level":50}',
  ]);
});

// Guarantee: customers and other organizations can't tell an app of somebody else from none.
test("nobody else finds the log", async () => {
  await world.store([{ text: "private" }]);
  const stranger = await givenMember(platform, `harbor-${v7().slice(-8)}`);
  const absent = { listingId: v7(), versionId: v7() };
  const mixed = { ...world.subject, listingId: v7() };
  const following = { signal: AbortSignal.abort() };
  for (const [member, subject] of [
    [stranger, world.subject],
    [stranger, absent],
    [world.publisher, mixed],
  ] as const)
    for (const read of [
      () => listEntries(platform, member, subject, {}),
      () => streamEntries(platform, member, subject, {}, following),
      () => writeLogFile(platform, member, subject, {}),
    ])
      await expect(read()).rejects.toEqual(new Problem("NOT_FOUND"));
  await expect(openLog(platform, stranger, world.listing.appName, undefined, {})).rejects.toEqual(
    new Problem("NOT_FOUND"),
  );
});

// Guarantee: the page and its live list together have each entry once, in whatever order transactions commit.
test("a stream continues from the list with lines and events", async () => {
  await world.store([{ text: "before" }]);
  const { position } = await list();
  await world.store([{ text: "between" }]);
  const stream = await follow({}, position);
  expect(stream.seen()).toEqual(["between"]);
  let commit = () => {};
  const committed = new Promise<void>((resolve) => (commit = resolve));
  const slow = platform.db.transaction(async (tx) => {
    await world.note("started", at(0), { db: tx });
    await committed;
  });
  await world.note("ready");
  await world.store([{ text: "quick", at: at(0) }]);
  await expect.poll(() => stream.seen().toSorted()).toEqual(["between", "quick", "ready"]);
  commit();
  await slow;
  await expect.poll(stream.seen).toContain("started");
  expect(stream.seen().toSorted()).toEqual(["between", "quick", "ready", "started"]);
});

test("a stream shows what the filter shows, and says when too much was written", async () => {
  const stream = await follow({ q: "needle" });
  await world.store([{ text: "a needle" }, { text: "hay" }]);
  await expect.poll(stream.seen).toEqual(["a needle"]);
  await world.storeMany(1_500);
  const last = () => stream.events.findLast(({ event }) => event === "changes");
  await expect.poll(last).toMatchObject({ data: { entries: [], more: true } });
});

// Guarantee: within seconds after somebody may no longer read the log, nothing more of it arrives.
test("a stream ends when its reader is no longer a publisher", async () => {
  const stream = await follow({}, undefined, 100);
  await platform.db
    .update(memberships)
    .set({ role: "operator" })
    .where(eq(memberships.userId, world.publisher.userId));
  await expect.poll(() => stream.events.at(-1)?.event).toBe("end");
});

test("the file has what the filter shows, oldest first", async () => {
  const { store, note, instanceId } = world;
  await note("failed", at(0), { reason: "The app exited with code 1." });
  await store([{ text: "first", at: at(1) }]);
  await store(Array.from({ length: 1_500 }, (_, index) => ({ text: `line ${index}`, at: at(2 + index) })));
  await store([{ text: "cut", at: at(9_000), cutBytes: 1_234, level: "warn", stream: "stderr" }]);
  const { name: file, parts } = await writeLogFile(platform, world.publisher, world.subject, {});
  let text = "";
  for await (const part of parts) text += part;
  const lines = text.trimEnd().split("\n");
  const short = instanceId.slice(-6);
  expect(file).toMatch(/^vin-lookup-1\.4\.0-\d{8}T\d{6}Z\.log$/);
  expect(lines).toHaveLength(1_503);
  expect(lines[0]).toBe(
    `2026-11-20T10:00:00.000Z ${short} event - Instance failed: The app exited with code 1.`,
  );
  expect(lines[1]).toBe(`2026-11-20T10:00:00.001Z ${short} stdout - first`);
  expect(lines.at(-1)).toBe(
    `2026-11-20T10:00:09.000Z ${short} stderr warn cut [1,234 more bytes not stored]`,
  );
});

// Guarantee: a search for nothing reads a bounded part of a log, and can go on to its end.
test("a search stops after 100,000 lines and says how far it got", async () => {
  await world.store([{ text: "a needle", at: at(0) }]);
  await world.storeMany(100_500);
  const first = await list({ q: "needle" });
  expect(first).toMatchObject({ entries: [], searchedTo: expect.any(String), next: expect.any(String) });
  const { entries, ...rest } = await list({ q: "needle" }, first.next);
  expect([entries.map(name), rest]).toEqual([["a needle"], {}]);
});

test("a position that is not one is refused", async () => {
  await expect(list({}, "'; drop table log_lines")).rejects.toMatchObject({ code: "BAD_INPUT" });
});

test("the page opens with the version that wrote last, or with the one that is asked for", async () => {
  const { listing, version } = world;
  const open = (number?: string) => openLog(platform, world.publisher, listing.appName, number, {});
  expect((await open()).current?.lastLineAt).toBeNull();
  await world.store([{ text: "hello", at: at(0) }]);
  expect((await open()).current).toEqual({
    id: version.id,
    number: version.number,
    lastLineAt: at(0).toISOString(),
  });
  expect((await open(version.number)).first?.entries.map(name)).toEqual(["hello"]);
  await expect(open("9.9.9")).rejects.toMatchObject({ code: "NOT_FOUND" });
});
