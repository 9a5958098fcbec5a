/** Apps that misbehave in every way, in real containers: each ends with its own reason, which tells the publisher what to do. */
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Docker from "dockerode";
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import { instances } from "@/drizzle/schema/runtime";
import { createGateway } from "@/gateway/serve";
import { findContainerAddress } from "@/launcher/addresses";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { CRASHES_TO_PARK } from "@/lib/domain/runtime/instance";
import { changeSettings } from "@/lib/server/accounts/organization";
import { addHealth } from "@/lib/server/insight/health/read-health";
import { startAgain } from "@/lib/server/installations/command-installation";
import { readInstallation } from "@/lib/server/installations/read-installation";
import { restoreInstances } from "@/lib/server/installations/work/restore-instances";
import { checkInstances } from "@/lib/server/runtime/check-instances";
import { dockerRuntime } from "@/lib/server/runtime/engines/docker";
import { findEngineFailure } from "@/lib/server/runtime/engines/docker-engine";
import { ensureInstance } from "@/lib/server/runtime/ensure-instance";
import { buildMisbehavingImage, givenMisbehaving, onlyRuntime } from "./misbehaving-world";
import { callRecorded } from "../recorded-call";
import { one, testPlatform } from "../test-platform";

const READY_WITHIN_MS = 5_000;
const SECRET = 'canary "7391" / ü';

const failure = await findEngineFailure();
const title = `misbehaving apps${failure === undefined ? "" : ` (skipped: ${failure})`}`;

describe.skipIf(failure !== undefined)(title, async () => {
  const platform = await testPlatform();
  const docker = new Docker();
  const folder = await mkdtemp(path.join(tmpdir(), "platform-engine-"));
  const runtime = dockerRuntime({ dataDir: folder, examplesFolder: "" });
  const runtimes = onlyRuntime(runtime);
  const images: Record<string, string> = {};
  const built: string[] = [];

  async function build(...behaviors: string[]): Promise<void> {
    const buildOne = async (behavior: string) => {
      images[behavior] = await buildMisbehavingImage(docker, behavior);
      built.push(`platform-test/misbehaving:${behavior}`);
    };
    await Promise.all(behaviors.map(buildOne));
  }
  const imageOf = (behavior: string) => images[behavior] ?? "";

  const gateway = createGateway(platform, (route) => route === "GET /state/<key>");
  // An app isn't blamed while nobody serves its state.
  beforeAll(async () => {
    const address = await findContainerAddress();
    if (address === undefined) throw new Error("no engine");
    await new Promise<void>((resolve) => gateway.listen(0, address.listen, resolve));
    const bound = gateway.address();
    const port = bound !== null && typeof bound === "object" ? bound.port : 0;
    platform.environment.PLATFORM_STATE_API_CONTAINER = `http://${address.reach}:${port}`;
  });
  beforeAll(
    () => build("serves", ...Object.keys(UNREADY), "ignores-sigterm", "log-flood", "crashes-later"),
    120_000,
  );
  afterEach(async () => {
    await Promise.all((await runtime.list()).map(({ handle }) => runtime.stop(handle, 0)));
  });
  afterAll(async () => {
    gateway.closeAllConnections();
    gateway.close();
    for (const name of built) await docker.getImage(name).remove({ force: true });
    await rm(folder, { recursive: true, force: true });
  });

  const rows = () => platform.db.select().from(instances).orderBy(instances.id);
  const reach = async (behavior: string, slugs: string[] = [], secret?: string) => {
    const given = await givenMisbehaving(platform, imageOf(behavior), slugs, secret);
    return { ...given, ensure: () => ensureInstance(platform, runtimes, given.versionId, READY_WITHIN_MS) };
  };

  test("each way of never becoming ready has its own reason", async () => {
    const failed = await Promise.all(
      Object.keys(UNREADY).map(async (behavior) => {
        const { ensure } = await reach(behavior);
        const failure = await ensure().then(String, ({ reasonCode, detail }) => [
          reasonCode,
          withoutTime(detail),
        ]);
        return [behavior, failure] as const;
      }),
    );
    expect(Object.fromEntries(failed)).toEqual(UNREADY);
    expect(new Set(failed.map(([, reason]) => String(reason))).size).toBe(failed.length);
    const exits = new Map((await rows()).map(({ reasonCode, exitCode }) => [reasonCode, exitCode]));
    expect([exits.get("EXITED"), exits.get("OOM_KILLED")]).toEqual([7, 137]);
    const logs = (await rows()).map(({ logTail }) => logTail);
    expect(logs).toContain("cannot read /config/rates.json\n");
    expect(await runtime.list()).toEqual([]);
  });

  test("each way of answering a call has its own reason", async () => {
    const { ensure, customers } = await reach("serves", ["harbor"]);
    const { member, routeId } = one(customers);
    await ensure();
    const call = (answer: string) =>
      callRecorded(platform, routeId, createPayload(answer), { organizationId: member.organization.id });
    const results = await Promise.all(
      Object.keys(ANSWERED).map(async (answer) => [answer, (await call(answer)).failure] as const),
    );
    expect(Object.fromEntries(results)).toEqual(ANSWERED);
    // It still serves: nothing of an answer that was refused is left in a connection.
    expect(await call("well")).toMatchObject({ failure: null });
  });

  test("a crash that another customer's payload causes is shown to all, with the log", async () => {
    const { versionId, ensure, customers } = await reach("serves", ["harbor", "alpine"]);
    const [harbor, alpine] = customers;
    if (harbor === undefined || alpine === undefined) throw new Error("two customers");
    const call = ({ routeId, member }: typeof harbor, answer: string) =>
      callRecorded(platform, routeId, createPayload(answer), { organizationId: member.organization.id });
    const { handle } = await ensure();
    const crashed = await call(harbor, "crash");
    expect(crashed.failure).toMatch(/^It closed the connection .* If it crashed, its log shows why\.$/);
    await expect.poll(async () => (await runtime.inspect(handle ?? "")).running).toBe(false);
    await checkInstances(platform, runtimes, 0);
    const ended = one(await rows());
    const crash = { reasonCode: "EXITED", exitCode: 1, reason: "The app exited with code 1." };
    expect(ended).toMatchObject({ state: "FAILED", ...crash });
    expect(ended.logTail).toContain("rates is undefined");

    await restoreInstances(platform, runtimes);
    expect(await call(alpine, "well")).toMatchObject({ failure: null });
    const { id, state } = alpine.installation;
    const [row] = await addHealth(platform.db, [{ id, state, versionId }]);
    expect(row?.health).toMatchObject({
      status: "DEGRADED",
      problems: [{ cause: "failures", count: 1, reason: "The app exited with code 1." }],
    });
  });

  // Guarantee: what an app knows is in no log and no recorded answer of the platform.
  test("secrets, keys, tokens and terminal codes are in no log and no recorded answer", async () => {
    const { ensure, customers } = await reach("serves", ["harbor"], SECRET);
    const { member, routeId } = one(customers);
    await changeSettings(platform, member, { recordBodies: true });
    const { handle } = await ensure();
    const scope = { organizationId: member.organization.id };
    const { answer } = await callRecorded(platform, routeId, createPayload("secrets"), scope);
    // The caller gets the answer as it is, apart from the key.
    expect(JSON.stringify(JSON.parse(answer ?? ""))).toContain(JSON.stringify(SECRET).slice(1, -1));
    await callRecorded(platform, routeId, createPayload("crash"), scope);
    await expect.poll(async () => (await runtime.inspect(handle ?? "")).running).toBe(false);
    await checkInstances(platform, runtimes, 0);

    const { logTail } = one(await rows());
    const recorded = () =>
      platform.db.select({ answer: attempts.answer }).from(attempts).orderBy(attempts.id);
    await expect.poll(async () => (await recorded())[0]?.answer).toContain("[secret: account]");
    expect(logTail).toContain("[secret: account]");
    const stored = [logTail, ...(await recorded()).map((row) => row.answer)].join("\n");
    for (const forbidden of ["7391", /psk_[\w-]{20}/, /eyJ[\w-]{20}/, "\u001b", "\u0007"])
      expect(stored).not.toMatch(forbidden);
  });

  test("an app that ignores SIGTERM is killed after its grace", async () => {
    const { ensure } = await reach("ignores-sigterm");
    const { handle } = await ensure();
    const startedAt = Date.now();
    expect(await runtime.stop(handle ?? "", 1)).toBe("killed");
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(await runtime.list()).toEqual([]);
  });

  test("a flood of logs slows nothing down and is bounded", async () => {
    const { ensure } = await reach("log-flood");
    const { handle } = await ensure();
    await sleep(2_000);
    const tail = await runtime.logTail(handle ?? "", 8_192);
    expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(8_192);
    expect(tail).toContain("flood flood");
    await checkInstances(platform, runtimes, 0);
    expect(one(await rows())).toMatchObject({ state: "READY", failedChecks: 0 });
    const { HostConfig } = await docker.getContainer(handle ?? "").inspect();
    expect(HostConfig.LogConfig?.Config).toEqual({ "max-size": "1m", "max-file": "2" });
  });

  // Guarantee: what is not the app's fault never counts as its failure.
  test("an image that is nowhere, a command that is not in it, and an engine that is gone", async () => {
    const place = async (imageDigest: string, under = runtimes) => {
      const { versionId } = await givenMisbehaving(platform, imageDigest);
      const failure = await ensureInstance(platform, under, versionId, READY_WITHIN_MS).catch(
        (error) => error,
      );
      const row = (await rows()).find((each) => each.versionId === versionId);
      return [failure.reasonCode, row?.reasonCode, row?.state];
    };
    const gone = onlyRuntime(
      dockerRuntime(
        { dataDir: folder, examplesFolder: "" },
        new Docker({ socketPath: path.join(folder, "none") }),
      ),
    );
    expect(await place(`sha256:${"0".repeat(64)}`)).toEqual(["IMAGE_MISSING", "IMAGE_MISSING", "STOPPED"]);
    expect(await place(imageOf("serves"), gone)).toEqual([
      "ENGINE_UNREACHABLE",
      "ENGINE_UNREACHABLE",
      "STOPPED",
    ]);
    const name = "platform-test/misbehaving:no-command";
    const base = await docker.createContainer({ Image: imageOf("serves") });
    await base.commit({ repo: "platform-test/misbehaving", tag: "no-command", changes: 'CMD ["/absent"]' });
    await base.remove();
    built.push(name);
    expect(await place((await docker.getImage(name).inspect()).Id)).toEqual([
      "COMMAND_NOT_STARTED",
      "COMMAND_NOT_STARTED",
      "FAILED",
    ]);
  });

  // Guarantee: an engine that restarts ends its containers; each is started again, with the reason, once the engine is back.
  test("the engine is restarted under an app", async () => {
    await using engine = await openEngineSocket(folder);
    const restarted = dockerRuntime(
      { dataDir: folder, examplesFolder: "" },
      new Docker({ socketPath: engine.path }),
    );
    const under = onlyRuntime(restarted);
    const { versionId } = await givenMisbehaving(platform, imageOf("serves"), ["harbor"]);
    const { handle } = await ensureInstance(platform, under, versionId, READY_WITHIN_MS);
    engine.stop();
    await docker.getContainer(handle ?? "").kill();
    await checkInstances(platform, under, 0);
    // Nobody can tell yet why it doesn't answer.
    const unsure = one(await rows());
    expect(unsure).toMatchObject({ state: "READY", failedChecks: 1, reasonCode: "ENGINE_UNREACHABLE" });
    expect(unsure.reason).toMatch(/^GET \/health (got no response|did not answer within 3 s)\./);
    await engine.start();
    await checkInstances(platform, under, 0);
    // The app is not at fault, so it is not shown as failed, restarts at once, and is never parked for it.
    expect(one(await rows())).toMatchObject({
      state: "STOPPED",
      reasonCode: "INTERRUPTED",
      reason: "The app was stopped by something else, for example a restart of the container engine.",
    });
    await restoreInstances(platform, under);
    expect((await rows()).map(({ state }) => state)).toEqual(["STOPPED", "READY"]);
  });

  test("an app that crashes again and again is parked, and started again by hand", async () => {
    const { versionId, customers } = await reach("crashes-later", ["harbor"]);
    const { member, installation } = one(customers);
    await platform.db.insert(instances).values(createCrashes(versionId, CRASHES_TO_PARK - 1));
    await restoreInstances(platform, runtimes);
    const [handle] = (await runtime.list()).map((found) => found.handle);
    expect((await rows()).at(-1)).toMatchObject({ state: "READY", handle });
    await expect.poll(async () => (await runtime.inspect(handle ?? "")).running).toBe(false);
    await checkInstances(platform, runtimes, 0);
    expect((await rows()).at(-1)).toMatchObject({ state: "FAILED", reasonCode: "EXITED", exitCode: 9 });
    expect(await runtime.list()).toEqual([]);

    // A crash is judged once the calls that may have caused it are recorded.
    await platform.db
      .update(instances)
      .set({ endedAt: sql`${instances.endedAt} - interval '1 minute'` })
      .where(eq(instances.handle, handle ?? ""));
    await restoreInstances(platform, runtimes);
    expect(await runtime.list()).toEqual([]);
    const { health } = await readInstallation(platform, member, installation.id);
    expect(health).toMatchObject({
      status: "DOWN",
      problems: [{ cause: "parked", count: CRASHES_TO_PARK, code: "EXITED" }],
    });

    await startAgain(platform, member, installation.id);
    await restoreInstances(platform, runtimes);
    expect(await runtime.list()).toHaveLength(1);
    expect((await rows()).at(-1)).toMatchObject({ state: "READY" });
  });
});

/** How much CPU time an app used differs each time. */
function withoutTime(detail: string): string {
  return detail.replace(/used [\d.]+ s of CPU/, "used 0 s of CPU");
}

const within = `within ${READY_WITHIN_MS / 1000} s.`;
/** How an app starts, and the reason that its launch fails with. */
const UNREADY: Record<string, [ReasonCode, string]> = {
  "never-healthy": [
    "HEALTH_NOT_200",
    `The app was not ready ${within} GET /health returned 503. It must return exactly 200.`,
  ],
  "health-204": [
    "HEALTH_NOT_200",
    `The app was not ready ${within} GET /health returned 204. It must return exactly 200.`,
  ],
  "health-301": [
    "HEALTH_NOT_200",
    `The app was not ready ${within} GET /health returned 301, a redirect. It must return 200 itself.`,
  ],
  "health-hangs": [
    "HEALTH_TIMED_OUT",
    `The app was not ready ${within} GET /health did not answer within 3 s.`,
  ],
  "crash-loop": ["EXITED", "The app exited with code 7 before GET /health returned 200."],
  "memory-hog": [
    "OOM_KILLED",
    "The app was killed by the kernel because it used more than 512 MiB of memory before GET /health returned 200.",
  ],
  "wrong-port": [
    "PORT_NOT_BOUND",
    `The app was not ready ${within} GET /health got no response. It listens on port 3000, not on the port in PLATFORM_PORT, which is 8080. It must listen on 0.0.0.0 and on the port in PLATFORM_PORT.`,
  ],
  "loopback-only": [
    "PORT_NOT_BOUND",
    `The app was not ready ${within} GET /health got no response. It listens on 127.0.0.1, which nothing outside its container can reach. It must listen on 0.0.0.0.`,
  ],
  "ipv6-only": [
    "PORT_NOT_BOUND",
    `The app was not ready ${within} GET /health got no response. It listens on [::] only for IPv6, and containers have only IPv4 addresses. It must listen on 0.0.0.0, or on [::] for both: in nginx "listen 8080;" or "ipv6only=off", in Node without ipv6Only, in Go with "tcp" instead of "tcp6".`,
  ],
  "no-listener": [
    "HEALTH_TIMED_OUT",
    `The app was not ready ${within} It may still be starting: its process is running and has used 0 s of CPU time, but it doesn't listen on any port yet. The end of its log shows how far it got. Listen on 0.0.0.0 and on the port in PLATFORM_PORT ${within.slice(0, -1)} of the start, and do slow work after that.`,
  ],
};

/** How an app answers, and why the call failed. */
const ANSWERED: Record<string, string> = {
  "headers-slowly": "It didn't send its response headers within 10 s.",
  "body-slowly": "It sent its response headers, but not the whole body within 10 s.",
  endless: "It sent its response headers, but not the whole body within 10 s.",
  silence: "It didn't send its response headers within 10 s.",
  "10-gigabytes": "Its response is larger than 1 MiB.",
  "gzip-bomb":
    "It compressed its response (gzip). The request asked for an uncompressed response (accept-encoding: identity).",
  malformed: "Its response is not valid HTTP.",
  redirect: "It returned 302, a redirect. The platform doesn't follow redirects.",
  "not-json": "Its response is not valid JSON.",
};

/** Crashes of the last hour that no call caused, the last of them long enough ago for the next start. */
function createCrashes(versionId: string, count: number) {
  return Array.from({ length: count }, (_, number) => {
    const at = new Date(Date.now() - (10 + number) * 60_000);
    const times = { createdAt: at, readyAt: at, endedAt: at };
    return {
      versionId,
      runtime: "docker",
      state: "FAILED" as const,
      reasonCode: "EXITED" as const,
      ...times,
    };
  });
}

function createPayload(answer: string) {
  return { operation: "newBusiness.create", data: { answer } };
}

/** A socket in front of the engine's, which a test takes away and brings back, as a restart of the engine does. */
async function openEngineSocket(folder: string) {
  const { DOCKER_HOST = "unix:///var/run/docker.sock" } = process.env;
  const target = new URL(DOCKER_HOST).pathname;
  const socketPath = path.join(folder, "engine.sock");
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.once("close", () => to.destroy()).on("error", () => undefined);
      from.pipe(to);
    }
  });
  const start = () => new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const stop = () => {
    server.close();
    for (const socket of open) socket.destroy();
    open.clear();
  };
  await start();
  return { path: socketPath, start, stop, [Symbol.asyncDispose]: async () => stop() };
}
