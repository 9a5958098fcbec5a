import { beforeEach, expect, test, vi } from "vitest";
import { organizations } from "@/drizzle/schema/accounts";
import { attempts } from "@/drizzle/schema/calls";
import { givenInstance } from "@/tests/fake-app";
import { givenInstalledApp, testPlatform } from "@/tests/test-platform";
import { callRoute } from "./call-route";
import { type FinishedCall, openCall, type OpenCall } from "./call-steps";
import { MOST_BODY_CHARACTERS, MOST_CALLS } from "./record-behind";

const platform = await testPlatform();
const CREATE = { operation: "newBusiness.create" };

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const { version, installation, route } = await givenInstalledApp(platform);
  const { id: routeId } = route("autofill");
  await givenInstance(platform, version.id, (response) => void response.end("{}"));
  return { installation, routeId };
}

function given(changes: Partial<OpenCall> = {}): OpenCall {
  const call = openCall(platform, {
    ...{ installationId: world.installation.id, routeId: world.routeId, revision: 1, epoch: 0 },
    ...{ kind: "autofill", replicas: [], method: "POST", path: "/a", recorded: false, deadlineMs: 1_000 },
  });
  return { ...call, ...changes };
}

function finished({ attemptId }: OpenCall, answer = "{}"): FinishedCall {
  return {
    ...{ attemptId, answer, status: 200, contentType: null, retryAfter: null, durationMs: 1 },
    ...{ failure: null, fault: null, endedMs: performance.now(), answerBytes: answer.length },
    ...{ instanceId: null, passedOver: [] },
  };
}

const record = (call: OpenCall, answer?: string) =>
  platform.services.recorder.record(call, finished(call, answer));
const rows = () => platform.db.select().from(attempts).orderBy(attempts.id);
const silence = () => vi.spyOn(platform.log, "warn").mockImplementation(() => undefined);

// Guarantee: nothing is written before the core gets its response.
test("a call is answered before it is recorded, and is recorded a moment later", async () => {
  const connect = vi.spyOn(platform.pool, "connect");
  const query = vi.spyOn(platform.pool, "query");
  const write = vi.spyOn(platform.db, "execute");
  const { attemptId } = await callRoute(platform, world.routeId, CREATE);
  expect(query.mock.calls.map(([asked]) => asked)).toMatchObject([{ name: "select-callable-route" }]);
  query.mockRestore();
  connect.mockRestore();
  expect(write).not.toHaveBeenCalled();
  write.mockRestore();
  await expect.poll(rows).toMatchObject([
    {
      id: attemptId,
      organizationId: world.installation.organizationId,
      status: 200,
      eventType: "newBusiness.create",
      queueMs: 0,
      platformMs: expect.any(Number),
      durationMs: expect.any(Number),
      endedAt: expect.any(Date),
    },
  ]);
});

// Guarantee: an unavailable database delays records; it fails no call, and a process that keeps running loses no record.
test("while the database is away, calls wait; they are recorded when it is back", async () => {
  silence();
  const away = vi.spyOn(platform.db, "execute").mockRejectedValue(new Error("Connection terminated"));
  record(given());
  expect(await platform.services.recorder.flush()).toBe(false);
  record(given());
  away.mockRestore();
  expect(await platform.services.recorder.flush()).toBe(true);
  expect(await rows()).toHaveLength(2);
});

// Guarantee: memory is bounded: the newest records are dropped, counted and logged, and bodies before records.
test("a full buffer drops records, and says how many", async () => {
  silence();
  // A call that ends just when the last batch was written waits for the next one, which comes by itself.
  const late = vi.fn(() => record(given()));
  const error = vi.spyOn(platform.log, "error").mockImplementation(() => queueMicrotask(late));
  const away = vi.spyOn(platform.db, "execute").mockRejectedValue(new Error("Connection terminated"));
  for (let at = 0; at < MOST_CALLS + 3; at += 1) record(given());
  await platform.services.recorder.flush();
  away.mockRestore();
  await platform.services.recorder.flush();
  expect(late).toHaveBeenCalledOnce();
  await expect.poll(() => platform.db.$count(attempts)).toBe(MOST_CALLS + 1);
  expect(error).toHaveBeenCalledWith({ calls: 3 }, expect.any(String));
});

test("beyond the bound of bodies, calls are recorded without them", async () => {
  const big = "x".repeat(MOST_BODY_CHARACTERS / 2);
  record(given({ recorded: true, body: "{}" }), big);
  record(given({ recorded: true, body: "{}" }), big);
  record(given({ recorded: true, body: "small" }), "{}");
  await platform.services.recorder.flush();
  expect((await rows()).map(({ recorded, payload }) => [recorded, payload])).toEqual([
    [true, "{}"],
    [false, null],
    [true, "small"],
  ]);
});

// Guarantee: one record that PostgreSQL refuses doesn't affect the others.
test("a record that cannot be stored is left out, and the others are written", async () => {
  const error = vi.spyOn(platform.log, "error").mockImplementation(() => undefined);
  const [first, broken, last] = [given(), given({ queueMs: 2 ** 70 }), given()];
  for (const call of [first, broken, last]) record(call);
  expect(await platform.services.recorder.flush()).toBe(true);
  expect((await rows()).map(({ id }) => id)).toEqual([first.attemptId, last.attemptId]);
  expect(error).toHaveBeenCalledWith(
    {
      err: expect.any(Error),
      attemptId: broken.attemptId,
      trace_id: broken.attemptId.replaceAll("-", ""),
    },
    expect.any(String),
  );
});

// Guarantee: a batch whose commit was not acknowledged can be written again.
test("the same record twice is one", async () => {
  const call = given();
  for (const again of [call, call]) {
    record(again);
    await platform.services.recorder.flush();
  }
  expect(await rows()).toHaveLength(1);
});

test("many calls are one statement, and secrets are opened once for each configuration", async () => {
  await platform.db.update(organizations).set({ recordBodies: true });
  const execute = vi.spyOn(platform.db, "execute");
  const query = vi.spyOn(platform.pool, "query");
  for (let at = 0; at < 50; at += 1) record(given({ recorded: true, body: '{"a":1}' }));
  await platform.services.recorder.flush();
  expect(execute).toHaveBeenCalledOnce();
  expect(
    query.mock.calls.filter(([asked]) => JSON.stringify(asked).includes("select-sealed-of-installation")),
  ).toHaveLength(1);
  execute.mockRestore();
  query.mockRestore();
  expect((await rows()).every(({ payload }) => payload === '{"a":1}')).toBe(true);
});
