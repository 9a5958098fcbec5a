import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { memberships, sessions } from "@/drizzle/schema/accounts";
import { attempts } from "@/drizzle/schema/calls";
import type { CallFilter } from "@/lib/contract/calls/call-filter";
import type { Member } from "@/lib/domain/platform/actor";
import { givenCallWorld } from "@/tests/given-calls";
import { anotherProcess, givenMember, testPlatform } from "@/tests/test-platform";
import { type CallEvent, listCalls, streamCalls } from "./list-calls";

const platform = await testPlatform();

/** Reads a stream until it is told to stop: what arrived, and the last position. */
async function read(member: Member, filter: CallFilter, after?: string, checkMs?: number) {
  const abort = new AbortController();
  const seen: string[] = [];
  const events: CallEvent[] = [];
  let id = after ?? "";
  const stream = await streamCalls(platform, member, { filter, after, signal: abort.signal, checkMs });
  const finished = (async () => {
    for await (const event of stream) {
      events.push(event);
      if (event.event !== "end") id = event.id;
      if (event.event === "changes") seen.push(...event.data.calls.map((call) => call.id));
    }
  })();
  const stop = async () => {
    abort.abort();
    await finished;
    return id;
  };
  onTestFinished(() => void abort.abort());
  await expect.poll(() => events.length).toBeGreaterThan(0);
  return { seen, events, stop, finished };
}

const sorted = (ids: readonly string[]) => [...ids].sort();

// Guarantee: a live list misses no call, in whatever order calls begin, are recorded and are committed.
test("a call that is committed after younger ones still arrives, once", async () => {
  const { customer, call } = await givenCallWorld(platform);
  const stream = await read(customer, {});
  let late = "";
  let commit = () => {};
  const committed = new Promise<void>((resolve) => (commit = resolve));
  const slow = platform.db.transaction(async (tx) => {
    late = await call("autofill", { ago: 9_000, db: tx });
    await committed;
  });
  const quick = await call("autofill");
  await expect.poll(() => stream.seen).toEqual([quick]);
  commit();
  await slow;
  await expect.poll(() => stream.seen).toEqual([quick, late]);
  await stream.stop();
});

// Guarantee: the page and its live list together have each call; a connection that is lost loses and repeats none.
test("a stream continues from the list, and resumes where it was cut off", async () => {
  const { customer, call } = await givenCallWorld(platform);
  await call("autofill");
  let { position } = await listCalls(platform, customer, {});
  const [all, seen]: [string[], string[]] = [[], []];
  for (let round = 0; round < 4; round++) {
    all.push(await call("autofill"));
    const stream = await read(customer, {}, position);
    for (let index = 0; index < 5; index++) all.push(await call("rater"));
    // Cut off anywhere: at once, or after some of them arrived.
    await new Promise((resolve) => setTimeout(resolve, round * 400));
    position = await stream.stop();
    seen.push(...stream.seen);
  }
  const last = await read(customer, {}, position);
  await expect.poll(() => sorted([...seen, ...last.seen])).toEqual(sorted(all));
  await last.stop();
});

test("a call in progress arrives again when it ends, and leaves the list of calls in progress", async () => {
  const { customer, call } = await givenCallWorld(platform);
  const [all, open] = [await read(customer, {}), await read(customer, { state: "open" })];
  const id = await call("webhook", { durationMs: null, status: null });
  await expect.poll(() => [all.seen, open.seen]).toEqual([[id], [id]]);
  await platform.db.update(attempts).set({ durationMs: 30, status: 204 }).where(eq(attempts.id, id));
  await expect.poll(() => all.seen).toEqual([id, id]);
  await expect
    .poll(() => open.events.filter(({ event }) => event === "changes").at(-1))
    .toMatchObject({ data: { calls: [], gone: [id], more: false } });
});

// Guarantee: a filter means the same in the live list as in the list, and no organization sees another's calls.
test("only calls of the organization that the filter shows arrive", async () => {
  const { customer, call, launch } = await givenCallWorld(platform);
  const { customer: stranger } = await givenCallWorld(platform, "alpine");
  const launches = await read(customer, { source: "launches", kind: "rater" });
  const foreign = await read(stranger, {});
  await call("rater");
  await call("autofill", { given: launch });
  const id = await call("rater", { given: launch });
  await expect.poll(() => launches.seen).toEqual([id]);
  expect(foreign.seen).toEqual([]);
  await expect(read(stranger, { installation: launch.installation.id })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

// Guarantee: a stream does not outlive the session that opened it.
test("it ends with the session", async () => {
  const { customer, call } = await givenCallWorld(platform);
  const stream = await read(customer, {}, undefined, 200);
  await platform.db.delete(sessions).where(eq(sessions.id, customer.sessionId));
  await stream.finished;
  await call("autofill");
  expect(stream.events.at(-1)).toEqual({ event: "end" });
  expect(stream.seen).toEqual([]);
});

// Guarantee: a list stays of its page's organization while its user works in another one, and not after they left it.
test("it continues after a switch in another tab, and ends when the user is no longer a member", async () => {
  const { customer, call } = await givenCallWorld(platform);
  const { organization } = await givenMember(platform, "elsewhere");
  const stream = await read(customer, {}, undefined, 200);
  await platform.db
    .update(sessions)
    .set({ organizationId: organization.id })
    .where(eq(sessions.id, customer.sessionId));
  const beats = stream.events.length;
  await expect.poll(() => stream.events.length).toBeGreaterThan(beats + 2);
  const seen = await call("autofill");
  await expect.poll(() => stream.seen).toEqual([seen]);
  await platform.db.delete(memberships).where(eq(memberships.userId, customer.userId));
  await stream.finished;
  expect(stream.events.at(-1)).toEqual({ event: "end" });
});

test("a user has a bounded number of streams, and gets one back by closing another", async () => {
  const { customer } = await givenCallWorld(platform);
  const streams = await Promise.all(Array.from({ length: 6 }, () => read(customer, {})));
  await expect(read(customer, {})).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  await streams[0]?.stop();
  await read(customer, {});
});

test.each(["", "1.2:1:", "1.0:1:", "1.5:9:9", "1.5:9:4", "1.5:9:7,6", "1.5:9:6;drop", `1.5:${2n ** 63n}:`])(
  "the position %j is refused",
  async (after) => {
    const { customer } = await givenCallWorld(platform);
    await expect(read(customer, {}, after)).rejects.toMatchObject({ code: "BAD_INPUT" });
  },
);

test("a position of long ago asks for the list to be read again", async () => {
  const { customer } = await givenCallWorld(platform);
  const { position = "" } = await listCalls(platform, customer, {});
  const old = position.replace(/^\d+/, String(Date.now() - 3_600_000));
  const stream = await read(customer, {}, old);
  expect(stream.events[0]).toMatchObject({ event: "changes", data: { calls: [], more: true } });
});

// Guarantee: an open list never delays the end of its process. Its reader continues in another process.
test("all streams end with their process, also one that is opened later", async () => {
  const { customer } = await givenCallWorld(platform);
  const ending = anotherProcess(platform);
  const open = () => streamCalls(ending, customer, { filter: {}, signal: new AbortController().signal });
  const first = await open();
  await first.next();
  const rest = first.next();
  ending.services.liveLists.endAll();
  expect((await rest).done).toBe(true);
  const late = await open();
  const events: CallEvent[] = [];
  for await (const event of late) events.push(event);
  expect(events.map(({ event }) => event)).toEqual(["beat"]);
});
