/**
 * What every runtime must do, whatever runs its apps and wherever. A driver gets a fixture in `tests/runtime-fixtures.ts` and a line
 * below; what only its engine does is tested beside it, as in `docker.test.ts`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { findClusterFailure, kubernetesFixture } from "@/tests/kubernetes-fixture";
import { dockerFixture, processFixture, type RuntimeFixture, untilHealthy } from "@/tests/runtime-fixtures";
import { findBusybox } from "@/tests/test-image";
import { findEngineFailure } from "./docker-engine";

const folder = await mkdtemp(path.join(tmpdir(), "platform-runtime-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const busybox = await findBusybox();
const skipReason = (await findEngineFailure()) ?? (busybox === undefined ? "no static busybox" : undefined);

describe("process", () => testConformance(() => processFixture(folder)));
describe.skipIf(skipReason !== undefined)(
  `docker${skipReason === undefined ? "" : ` (skipped: ${skipReason})`}`,
  () => testConformance(() => dockerFixture(folder, busybox ?? "")),
);

const noCluster = (await findClusterFailure()) ?? skipReason;
describe.skipIf(noCluster !== undefined)(
  `kubernetes${noCluster === undefined ? "" : ` (skipped: ${noCluster})`}`,
  // A node takes seconds to start a Pod and to end it, and is measured every 15 seconds.
  { timeout: 240_000 },
  () => testConformance(() => kubernetesFixture(folder, busybox ?? "")),
);

function testConformance(make: () => Promise<RuntimeFixture>) {
  let fixture: RuntimeFixture;
  beforeAll(async () => {
    fixture = await make();
  });
  afterAll(() => fixture.clean());
  afterEach(async () => {
    for (const found of await fixture.runtime.list()) await fixture.runtime.stop(found.handle, 0);
  });

  // Guarantee: a started app responds at its origin, is listed, and is gone after a stop.
  test("an app starts, responds, is listed, and stops", async () => {
    const { runtime, serving } = fixture;
    const { handle, origin, node } = await runtime.start(serving);
    await untilHealthy(fixture, origin);
    expect(node, "operators see where it runs").toMatch(/\w/);
    expect(await runtime.inspect(handle)).toMatchObject({ running: true, origin });
    expect(await runtime.list()).toEqual([{ handle, versionId: serving.versionId }]);
    await runtime.stop(handle, 1);
    expect(await runtime.inspect(handle)).toMatchObject({ running: false });
    expect(await runtime.list()).toEqual([]);
    // Nothing is sent to its old address, which another container may have by now.
    await runtime.stop(handle, 1);
  });

  // Guarantee: an app's output is shown without control characters, and the platform's variables take precedence.
  test("the end of the log has no control characters", async () => {
    const { runtime, serving } = fixture;
    const { handle, origin } = await runtime.start(serving);
    await untilHealthy(fixture, origin);
    expect(await runtime.logTail(handle, 4096)).toBe("hello red http://127.0.0.1:4999\n");
    expect(await runtime.logTail(handle, 5)).toBe("4999\n");
    expect(await runtime.logTail(handle, 4096, new Date())).toBe("");
  });

  // Guarantee: what an app wrote during a call is found later, and nothing from other moments is mistaken for it.
  test("the log between two moments has the lines of that time alone", async () => {
    const { runtime, crashing } = fixture;
    const { handle, origin } = await runtime.start(crashing);
    await untilHealthy(fixture, origin);
    const before = new Date();
    await sleep(100);
    await crash(fixture, handle, origin);
    await sleep(100);
    const after = new Date();
    expect(await runtime.logTail(handle, 4096, before, after)).toBe("last words\n");
    expect(await runtime.logTail(handle, 6, before, after)).toBe("words\n");
    expect(await runtime.logTail(handle, 4096, new Date(0), before)).toBe("");
    expect(await runtime.logTail(handle, 4096, after, new Date())).toBe("");
    await runtime.stop(handle, 0);
    expect(await runtime.logTail(handle, 4096, before, after)).toBe("");
  });

  // Guarantee: a reader gets each line once with its time, goes on where it left, and gets the app's last words.
  test("the log is followed to its end, and from any of its lines", async () => {
    const { runtime, crashing } = fixture;
    const { handle, origin } = await runtime.start(crashing);
    await untilHealthy(fixture, origin);
    const read = async (since?: bigint, follow = true) => {
      const pieces = [];
      for await (const piece of runtime.followLog(handle, {
        since,
        follow,
        signal: AbortSignal.timeout(10_000),
      }))
        pieces.push(piece);
      return pieces;
    };
    const followed = read();
    const before = BigInt(Date.now()) * 1_000_000n;
    await crash(fixture, handle, origin);
    const [last, ...others] = await followed;
    expect(others).toEqual([]);
    expect(last).toMatchObject({ stream: "stdout", bytes: Buffer.from("last words\n") });
    expect(Number((last?.at ?? 0n) - before) / 1e9).toBeGreaterThan(-0.01);
    expect(await read(last?.at, false)).toEqual([last]);
    expect(await read((last?.at ?? 0n) + 10_000n, false)).toEqual([]);
    await runtime.stop(handle, 0);
    expect(await read()).toEqual([]);
  });

  test("an app that ended has an exit code, and its log until it is stopped", async () => {
    const { runtime, failing } = fixture;
    const { handle } = await runtime.start(failing);
    await expect
      .poll(() => runtime.inspect(handle))
      .toEqual({ running: false, code: "EXITED", reason: "exited with code 3", exitCode: 3 });
    expect(await runtime.logTail(handle, 100)).toBe("cannot start\n");
  });

  // Guarantee: a crash is reported when it happens; an app that the platform stops has not crashed.
  test("an exit is reported at once with its cause and the complete log", async () => {
    const { runtime, serving, crashing } = fixture;
    const exits: string[] = [];
    const watch = runtime.watchChanges((handle) => exits.push(handle));
    await watch.connected;
    const { handle, origin } = await runtime.start(crashing);
    await untilHealthy(fixture, origin);
    await crash(fixture, handle, origin);
    await expect.poll(() => exits).toEqual([handle]);
    expect(await runtime.inspect(handle)).toMatchObject({
      running: false,
      code: "EXITED",
      reason: "was killed by signal SIGKILL",
      exitCode: 137,
    });
    expect(await runtime.logTail(handle, 100)).toBe("last words\n");
    await runtime.stop(handle, 0);
    watch.stop();
    const other = await runtime.start(serving);
    await runtime.stop(other.handle, 0);
    expect(exits).toEqual([handle]);
  });

  // Guarantee: what an app used grows as it works, and something that ended is not measured as if it used nothing.
  test("CPU time and memory are measured while an app runs", async () => {
    const { runtime, serving, failing, reach } = fixture;
    const { handle, origin } = await runtime.start(serving);
    await untilHealthy(fixture, origin);
    await expect.poll(() => runtime.usage(handle), MEASURED).toBeDefined();
    const first = await runtime.usage(handle);
    expect(first?.memoryBytes).toBeGreaterThan(10_000);
    if (runtime.isolates) expect(first?.limits).toEqual({ cpuMillis: 1_000, memoryBytes: 512 * 1024 * 1024 });
    if (first?.cpuNs !== null) expect(first?.cpuNs).toBeGreaterThan(0);
    await expect
      .poll(async () => {
        await Promise.all(Array.from({ length: 50 }, () => reach(origin, "/")));
        const now = await runtime.usage(handle);
        return now?.cpuNs ?? now?.cpuMillis;
      }, MEASURED)
      .toBeGreaterThan(first?.cpuNs ?? first?.cpuMillis ?? Infinity);
    await runtime.stop(handle, 1);
    expect(await runtime.usage(handle)).toBeUndefined();
    const ended = await runtime.start(failing);
    await expect.poll(() => runtime.inspect(ended.handle)).toMatchObject({ running: false });
    expect(await runtime.usage(ended.handle)).toBeUndefined();
  });

  // Guarantee: replicas of a version don't disturb each other, and none runs twice.
  test("replicas run side by side, and starting one again replaces that one only", async () => {
    const { runtime, serving } = fixture;
    const first = await runtime.start(serving);
    const second = await runtime.start({ ...serving, replica: 1 });
    const again = await runtime.start(serving);
    await untilHealthy(fixture, second.origin);
    await untilHealthy(fixture, again.origin);
    expect(await runtime.inspect(first.handle)).toMatchObject({ running: false });
    const { versionId } = serving;
    const byHandle = (a: { handle: string }, b: { handle: string }) => (a.handle < b.handle ? -1 : 1);
    const running = [second, again].map(({ handle }) => ({ handle, versionId }));
    expect((await runtime.list()).sort(byHandle)).toEqual(running.sort(byHandle));
  });
}

/** Clusters measure every 15 seconds or less often, and not before an app has run for some time. */
const MEASURED = { timeout: 120_000 };

/** Again until it is received: between two requests, a fixture's shell doesn't listen. */
async function crash({ runtime, reach }: RuntimeFixture, handle: string, origin: string): Promise<void> {
  await expect
    .poll(async () => {
      await reach(origin, "/crash");
      return (await runtime.inspect(handle)).running;
    })
    .toBe(false);
}
