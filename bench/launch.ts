/**
 * Measures what the platform adds to the start of a container: from Launch to RUNNING with an image that the engine has, and
 * `docker run` of the same image until its first healthy answer, in turns. Then how much of a core the worker needs to
 * supervise many idle apps.
 *
 *     npm run bench:launch [-- <apps to supervise; 50 by default>]
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { inArray } from "drizzle-orm";
import { installations } from "@/drizzle/schema/installations";
import { bundleEntryPoints } from "@/launcher/build.mjs";
import { notifyWorker } from "@/lib/server/platform/database/work-channel";
import { freePort } from "@/lib/server/platform/machine";
import { chooseGatewayUrl, type Customer, World } from "@/tests/chaos/world";
import { median, printFigure } from "./measure";

const run = promisify(execFile);
const ROUNDS = 7;
const AT_ONCE = 4;
const POLL_MS = 10;
const LAUNCHED_WITHIN_MS = 60_000;
/** Until the apps' first seconds are over. */
const CALM_MS = 10_000;
const IDLE_MS = 30_000;
/** Of `/proc/<pid>/stat`. */
const TICKS_PER_SECOND = 100;

const apps = Number(process.argv[2] ?? 50);
await bundleEntryPoints();
const created = await World.createWithContainers();
if (created === undefined) {
  console.log("skipped: no container engine responds");
  process.exit(0);
}
try {
  await measure(created);
} finally {
  await created[Symbol.asyncDispose]();
}
process.exit(0);

async function measure(world: World): Promise<void> {
  const image = world.apps.bundle.imageDigest ?? "";
  const customers: Customer[] = [];
  for (let number = 0; number < apps; number += 1)
    customers.push(await world.addCustomer(`customer-${number}`));
  await world.platform.pool.query("update installations set state = 'STOPPED'");
  const url = await chooseGatewayUrl();
  await world.start("gateway", url);
  const worker = await world.start("worker", url);
  // The worker's start has work of its own, such as the check of what apps can reach.
  await sleep(CALM_MS);
  const ours: number[] = [];
  const bare: number[] = [];
  for (const customer of customers.slice(0, ROUNDS)) {
    ours.push(await launch(world, [customer]));
    bare.push(await runBare(image));
    console.log(
      `Launch to RUNNING ${ours.at(-1)?.toFixed(2)} s, docker run to healthy ${bare.at(-1)?.toFixed(2)} s`,
    );
  }
  printFigure("launch_to_running_seconds", median(ours), "s");
  printFigure("launch_docker_run_seconds", median(bare), "s");
  printFigure("launch_added_seconds", median(ours) - median(bare), "s");
  for (let next = ROUNDS; next < customers.length; next += AT_ONCE)
    await launch(world, customers.slice(next, next + AT_ONCE));
  await sleep(CALM_MS);
  const before = await readCpuSeconds(worker.pid);
  await sleep(IDLE_MS);
  const used = (await readCpuSeconds(worker.pid)) - before;
  printFigure("supervised_apps", customers.length, "apps");
  printFigure("supervisor_core_percent", (used / (IDLE_MS / 1_000)) * 100, "%");
}

/** Seconds from the moment when Launch is stored to the moment when all of them run. */
async function launch({ platform }: World, customers: readonly Customer[]): Promise<number> {
  const ids = customers.map(({ installationId }) => installationId);
  const startedAt = performance.now();
  await platform.db.transaction(async (tx) => {
    await tx.update(installations).set({ state: "LAUNCHING" }).where(inArray(installations.id, ids));
    await notifyWorker(tx);
  });
  for (;;) {
    const { rows } = await platform.pool.query<{ state: string; reason: string | null }>(
      "select state, reason from installations where id = any($1) and state <> 'RUNNING'",
      [ids],
    );
    const [first] = rows;
    if (first === undefined) return (performance.now() - startedAt) / 1_000;
    if (first.state === "ERROR" || performance.now() - startedAt > LAUNCHED_WITHIN_MS)
      throw new Error(`A launch failed: ${first.state} ${first.reason}`);
    await sleep(POLL_MS);
  }
}

/** Seconds from `docker run` to the first healthy answer. */
async function runBare(image: string): Promise<number> {
  const port = await freePort();
  const startedAt = performance.now();
  const { stdout } = await run("docker", [
    ...["run", "--detach", "--rm", "--publish", `127.0.0.1:${port}:8080`],
    ...["--env", "PLATFORM_PORT=8080", "--env", "PLATFORM_STATE_API=http://127.0.0.1:9", image],
  ]);
  const isHealthy = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isHealthy())) await sleep(POLL_MS);
  const seconds = (performance.now() - startedAt) / 1_000;
  await run("docker", ["kill", stdout.trim()]);
  return seconds;
}

/** Processor time that a process has used, in user and system mode. */
async function readCpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
