/**
 * What a cluster does to a release of the chart under steady load: rolling restarts, drains, an upgrade, killed and deleted Pods, the API
 * server away, a node lost. Counts lost calls, and the time until all that should run runs again. Then what apps reach.
 *
 *     npm run bench:cluster -- --values deploy/chart/values-trial.yaml --values mine.yaml [--only drain,reach]
 *
 * Needs KUBECONFIG, kubectl, helm, Docker, and a cluster of two nodes whose Pods and Services this machine reaches. docs/kubernetes.md has
 * the variables.
 */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import type { Platform } from "@/lib/server/platform/platform";
import {
  connectDatabase,
  type Counts,
  findAddress,
  kubectl,
  kubectlApps,
  launchApp,
  type LaunchedApp,
  listReady,
  nameOf,
  NAMESPACE,
  PARTS,
  type Place,
  publishLarge,
  readReach,
  readStaged,
  run,
  selectApp,
  selectPart,
  SteadyLoad,
  testRelease,
  untilWanted,
  upgrade,
  WANTED,
} from "./cluster-world";
import { bundle, median, printFigure } from "./measure";

const {
  PLATFORM_TEST_API_STOP: apiStop = "",
  PLATFORM_TEST_API_START: apiStart = "",
  PLATFORM_TEST_NODE_STOP: nodeStop = "",
  PLATFORM_TEST_NODE_START: nodeStart = "",
} = process.env;
const AWAY_MS = 60_000;
const DELIVERED_WITHIN_MS = 120_000;
const LARGE_BYTES = 300_000_000;
const { values: options } = parseArgs({
  options: {
    values: { type: "string", multiple: true, default: [] },
    only: { type: "string" },
    calls: { type: "string", default: "25" },
  },
});
const only = options.only?.split(",");
const isWanted = (phase: string) => only === undefined || only.includes(phase);

if (isWanted("install")) {
  await upgrade(options.values);
  await testRelease();
  console.log("helm test: succeeded");
}
const platform = await connectDatabase();
const suffix = Date.now().toString(36);
const app = await launchApp(platform, `bench-${suffix}`, WANTED, []);
await untilWanted(app.versionId);
if (isWanted("overhead")) await measureOverhead();
if (only === undefined || only.some((name) => name !== "reach" && name !== "overhead")) await measurePhases();
if (isWanted("reach")) await measureReach(app);
await platform.pool.end();
process.exit(0);

async function measurePhases(): Promise<void> {
  const load = new SteadyLoad(app, `http://${await findAddress("web")}/sign-in`, {
    calls: Number(options.calls),
    events: 5,
    pages: 2,
  });
  await sleep(10_000);
  report("calm", load, {
    ...load.counts,
    calls: 0,
    events: 0,
    pages: 0,
    callsLost: 0,
    eventsRefused: 0,
    pagesLost: 0,
  });
  const phase = (name: string, act: () => Promise<unknown>) => runPhase(name, load, act);
  for (const part of PARTS)
    await phase(`restart_${part}`, async () => {
      await kubectl("rollout", "restart", `deployment/${nameOf(part)}`);
      await kubectl("rollout", "status", `deployment/${nameOf(part)}`, "--timeout=10m");
    });
  await phase("upgrade", () =>
    upgrade(
      options.values,
      "--set-string",
      `web.podAnnotations.bench=${suffix}`,
      "--set-string",
      `gateway.podAnnotations.bench=${suffix}`,
      "--set-string",
      `worker.podAnnotations.bench=${suffix}`,
    ),
  );
  for (const node of (await kubectl("get", "nodes", "--output", "jsonpath={.items[*].metadata.name}")).split(
    " ",
  ))
    await phase(`drain_${node}`, async () => {
      // The trial's database and registry have only one Pod each.
      const selector =
        "app.kubernetes.io/component notin (postgresql,registry),k8s-app notin (kube-dns,metrics-server)";
      const how = [
        "--ignore-daemonsets",
        "--delete-emptydir-data",
        "--timeout=10m",
        "--pod-selector",
        selector,
      ];
      await kubectl("drain", node, ...how);
      await untilWanted(app.versionId);
      await kubectl("uncordon", node);
    });
  await phase("publish", publishThroughKilledGateways);
  await phase("delete_pods", async () => {
    for (const part of PARTS) await kubectl("delete", "pod", "--wait=false", await findPod(selectPart(part)));
    const pod = await findPod(selectApp(app.versionId), kubectlApps);
    await kubectlApps("delete", "pod", "--wait=false", pod);
  });
  if (findProcess("worker") !== undefined)
    await phase("kill_worker", async () => {
      process.kill(findProcess("worker") ?? 0, "SIGKILL");
      await sleep(1_000);
    });
  if (apiStop !== "")
    await phase("api_away", async () => {
      await run("sh", "-c", apiStop);
      await sleep(AWAY_MS);
      await run("sh", "-c", apiStart);
    });
  if (nodeStop !== "") {
    await phase("node_lost", async () => {
      await run("sh", "-c", nodeStop);
      // Until its Pods count as lost, all still seem to run.
      await sleep(AWAY_MS);
    });
    await run("sh", "-c", nodeStart);
  }
  await load.end();
  await expectDelivered(platform, load.accepted);
}

async function runPhase(name: string, load: SteadyLoad, act: () => Promise<unknown>): Promise<void> {
  if (!isWanted(name) && !isWanted("phases") && only !== undefined) return;
  await untilWanted(app.versionId);
  const before = { ...load.counts };
  const faults = load.faults.length;
  const startedAt = performance.now();
  await act();
  const actedAt = performance.now();
  await untilWanted(app.versionId);
  const endedAt = performance.now();
  await sleep(3_000);
  report(name, load, before);
  printFigure(`cluster_${name}_seconds`, (endedAt - startedAt) / 1_000, "s");
  printFigure(`cluster_${name}_back_after`, (endedAt - actedAt) / 1_000, "s");
  printFaults(load.faults.slice(faults));
}

/** Each kind of answer once, with how often and when. */
function printFaults(faults: readonly string[]): void {
  const kinds = new Map<string, string[]>();
  for (const fault of faults) {
    const [time, kind] = [fault.slice(0, 12), fault.slice(13)];
    kinds.set(kind, [...(kinds.get(kind) ?? []), time]);
  }
  for (const [kind, times] of [...kinds].slice(0, 8))
    console.log(`  ${times.length} × ${kind}, from ${times[0]} to ${times.at(-1)}`);
}

function report(name: string, { counts }: SteadyLoad, before: Counts): void {
  printFigure(`cluster_${name}_calls`, counts.calls - before.calls, "calls");
  printFigure(`cluster_${name}_calls_lost`, counts.callsLost - before.callsLost, "calls");
  printFigure(`cluster_${name}_events_sent_again`, counts.eventsRefused - before.eventsRefused, "events");
  printFigure(`cluster_${name}_pages_lost`, counts.pagesLost - before.pagesLost, "requests");
}

/** Each accepted event was delivered, and how many more than once. */
async function expectDelivered({ pool }: Platform, accepted: readonly string[]): Promise<void> {
  const giveUpAt = Date.now() + DELIVERED_WITHIN_MS;
  const count = async () => {
    const { rows } = await pool.query<{ delivered: number; twice: number }>(
      `select count(*) filter (where d.state = 'DELIVERED')::int as delivered,
              count(*) filter (where d.attempt_count > 1)::int as twice
       from deliveries d where d.installation_id = $1`,
      [app.installationId],
    );
    return rows[0] ?? { delivered: 0, twice: 0 };
  };
  let found = await count();
  while (found.delivered < accepted.length && Date.now() < giveUpAt) {
    await sleep(1_000);
    found = await count();
  }
  printFigure("cluster_events_accepted", accepted.length, "events");
  printFigure("cluster_events_lost", Math.max(0, accepted.length - found.delivered), "events");
  printFigure("cluster_events_tried_again", found.twice, "events");
}

/** Kills a gateway at a third of the upload and another one at two thirds, so at least one of them had a part of it under way. */
async function publishThroughKilledGateways(): Promise<void> {
  const before = await readStaged(platform);
  let published: string | undefined;
  const publishing = publishLarge(platform, `large-${suffix}`, LARGE_BYTES).then(
    (digest) => (published = digest),
  );
  let killed = 0;
  for (const share of [1 / 3, 2 / 3]) {
    while (published === undefined && (await readStaged(platform)) - before < share * LARGE_BYTES)
      await Promise.race([sleep(100), publishing]);
    if (published !== undefined) break;
    await killGateway();
    killed += 1;
    while ((await listReady(selectPart("gateway"))).length < WANTED) await sleep(500);
  }
  await publishing;
  printFigure("cluster_publish_bytes", LARGE_BYTES, "bytes");
  printFigure("cluster_publish_gateways_killed", killed, "gateways");
  printFigure("cluster_publish_lost", published === "none" ? 1 : 0, "versions");
}

/** Deleting its Pod by force would first take away its network, and leave it serving for seconds. */
async function killGateway(): Promise<void> {
  const id = findProcess("gateway");
  if (id === undefined) await kubectl("delete", "pod", await findPod(selectPart("gateway")));
  else process.kill(id, "SIGKILL");
  await sleep(2_000);
}

async function findPod(selector: string, ask = kubectl): Promise<string> {
  const [pod] = await listReady(selector, ask);
  if (pod === undefined) throw new Error(`no Pod of ${selector} is ready`);
  return pod.metadata.name;
}

/** A part's process in a Pod of a node that is this machine. Undefined elsewhere. */
function findProcess(part: string): number | undefined {
  const read = (file: string) => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return "";
    }
  };
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found = ids.find(
    (id) =>
      read(`/proc/${id}/cmdline`).includes(`launcher/start.mjs\0${part}`) &&
      read(`/proc/${id}/cgroup`).includes("kubepods"),
  );
  return found === undefined ? undefined : Number(found);
}

/** What the gateway adds to a call, over what the least of proxies in its place would add. */
async function measureOverhead(): Promise<void> {
  await bundle({ "cluster-calls": "bench/cluster-calls.ts", floor: "bench/bare-proxy.ts" });
  const floor = readFileSync(".build/bench/floor.js", "base64");
  const [instance] = (
    await platform.pool.query<{ origin: string }>(
      "select origin from instances where version_id = $1 and state = 'READY' limit 1",
      [app.versionId],
    )
  ).rows;
  const routeId = new URL(app.autofillUrl).pathname.split("/").at(-1) ?? "";
  const script = `node --input-type=module - ${floor} 4999 ${routeId} ${instance?.origin} http://127.0.0.1:4000 '${app.core}'`;
  const pod = await findPod(selectPart("gateway"));
  const printed = await run(
    "sh",
    "-c",
    `kubectl --namespace "$0" exec --stdin "$1" --container gateway -- sh -c "$2" < .build/bench/cluster-calls.js`,
    NAMESPACE,
    pod,
    script,
  );
  const times = z.array(z.number()).transform(median);
  const rounds = z.array(z.object({ direct: times, floor: times, ours: times })).parse(JSON.parse(printed));
  for (const name of ["direct", "floor", "ours"] as const)
    printFigure(`cluster_call_${name}_p50`, median(rounds.map((round) => round[name])), "ms");
  const ratios = rounds.map(({ direct, floor, ours }) => (ours - direct) / (floor - direct));
  printFigure("cluster_call_added_over_floor", median(ratios), "ratio");
}

/** What apps reach: one that just started, and one that has run for a while. */
async function measureReach(other: LaunchedApp): Promise<void> {
  const places = await listPlaces(other);
  const probe = await launchApp(platform, `reach-${suffix}`, 1, places);
  const { fresh, open, tried } = await readReach(probe);
  printFigure("cluster_reach_cells", 2 * tried, "cells");
  printFigure("cluster_reach_open_fresh", Object.keys(fresh).length, "cells");
  printFigure("cluster_reach_open_old", open.length, "cells");
  for (const [name, at] of Object.entries(fresh))
    console.log(`  open when fresh, last after ${at} ms: ${name}`);
  for (const name of open) console.log(`  OPEN: ${name}`);
}

async function listPlaces(other: LaunchedApp): Promise<Place[]> {
  const places: Place[] = [];
  const add = (name: string, host: string, ...ports: number[]) => {
    for (const port of ports) places.push({ name: `${name} ${host}:${port}`, host, port });
  };
  for (const pod of await listReady(selectApp(other.versionId), kubectlApps))
    add("another app", pod.status.podIP ?? "", 8080);
  const ports = {
    web: [3000, 9464],
    gateway: [4000, 9464],
    worker: [4002, 9464],
    postgresql: [5432],
    registry: [5000],
  };
  for (const [part, targets] of Object.entries(ports)) {
    for (const pod of await listReady(selectPart(part))) add(part, pod.status.podIP ?? "", ...targets);
    const isInside = part === "postgresql" || part === "registry";
    add(`${part}'s Service`, await findAddress(part), ...(isInside ? targets : [80]));
  }
  add(
    "the API server",
    await run(
      "kubectl",
      "get",
      "service",
      "kubernetes",
      "--namespace",
      "default",
      "--output",
      "jsonpath={.spec.clusterIP}",
    ),
    443,
  );
  const nodes = await kubectl(
    "get",
    "nodes",
    "--output",
    `jsonpath={.items[*].status.addresses[?(@.type=="InternalIP")].address}`,
  );
  for (const node of nodes.split(" ")) add("a node", node, 22, 10250, 10255, 10256, 6443, 2379, 5000, 30500);
  for (const host of ["169.254.169.254", "169.254.170.2", "100.100.100.200", "192.168.0.1"])
    add("metadata or link-local", host, 80);
  return places;
}
