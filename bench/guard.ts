/**
 * Measures what the egress guard costs, with containers of a real engine: calls of an app in an open network and of one behind the guard,
 * beside the floor of `bench:calls`; an app's connections through the guard beside direct ones to the same server; and the guard's memory
 * with many apps. All ways take turns.
 *
 *     npm run bench:guard [-- <seconds of a round> [<rounds> [calls | connections | memory]]]
 */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { getPriority, setPriority, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Docker from "dockerode";
import { request } from "undici";
import { v7 } from "uuid";
import { z } from "zod";
import { bundleEntryPoints } from "@/launcher/build.mjs";
import type { AllowedHosts } from "@/lib/contract/runtime/egress";
import { allowHosts } from "@/lib/domain/runtime/egress/allowed-hosts";
import { digestFolder } from "@/lib/server/catalog/publish/example-folder";
import { freePort } from "@/lib/server/platform/machine";
import { dockerRuntime } from "@/lib/server/runtime/engines/docker";
import { createGuard } from "@/lib/server/runtime/engines/docker-guard";
import { CLOSED_NETWORK, guardName } from "@/lib/server/runtime/engines/docker-guard-container";
import { createAppNetwork, takeSubnets } from "@/lib/server/runtime/engines/docker-network";
import type { Runtime, Started } from "@/lib/server/runtime/engines/runtime";
import { createInternet, PORTS } from "@/tests/egress/internet";
import { PROBER, tryFrom, writeProber } from "@/tests/egress/prober";
import { bundle, load, type Measured, median, printFigure, startPart } from "./measure";
import { CORE_HEADERS, prepareGateway, startGateway } from "./measured-gateway";
import { createInstallation } from "./running-installation";

const seconds = Number(process.argv[2] ?? 4);
const rounds = Number(process.argv[3] ?? 5);
const part = process.argv[4] ?? "all";
const CONNECTIONS = 16;
const PAYLOAD = { operation: "newBusiness.create", policy: { vehicle: { vin: "YV1CZ852851194259" } } };
const SUBNETS = "10.215.64.0/20";
const INTERNET = "11.215.78.0/24";
const APPS = 100;
const HOSTS = 50;
const BYTES = 256 * 1_048_576;
const CONNECTS = 200;
const [OPEN, GUARDED] = [v7(), v7()];
const ANSWERER = "answerer";

const measured = z.object({ medianMs: z.number(), mibPerSecond: z.number() });
const usage = z.object({
  memory_stats: z.object({ usage: z.number(), stats: z.record(z.string(), z.number()).optional() }),
});

/** `bare-app.ts` in a container. */
const ANSWERER_SCRIPT = `
import { createServer } from "node:http";
const answer = JSON.stringify({ policy: { vehicle: { make: "Volvo", model: "XC40", year: 2024 } } });
const length = Buffer.byteLength(answer);
createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  request.once("end", () => response.writeHead(200, { "content-type": "application/json", "content-length": length }).end(answer));
}).listen(Number(process.env.PLATFORM_PORT));`;

await bundleEntryPoints();
const docker = new Docker();
const folder = await mkdtemp(path.join(tmpdir(), "bench-guard-"));
const owner = createHash("sha256").update(folder).digest("hex").slice(0, 16);
const examplesFolder = path.join(folder, "examples");
const allowed = new Map<string, AllowedHosts>([
  [GUARDED, allowHosts([{ host: "a.example", purpose: "p" }], { cores: [], valuesOf: () => [] })],
]);
const internet = await createInternet(docker, INTERNET, { "a.example": [["internet"]] });
const options = { isRequired: true, readAllowed: async () => allowed, nameServers: [internet.address] };
const common = { dataDir: folder, examplesFolder, appSubnets: SUBNETS };
const runtimes = {
  open: dockerRuntime({ ...common, dataDir: `${folder}-open` }, docker),
  guarded: dockerRuntime({ ...common, egress: options }, docker),
};
const running: [Runtime, Started][] = [];
try {
  if (part === "all" || part === "calls") await measureCalls();
  if (part === "all" || part === "connections") await measureConnections();
  if (part === "all" || part === "memory") await measureMemory();
} finally {
  for (const [runtime, { handle }] of running) await runtime.stop(handle, 0);
  await runtimes.guarded.close();
  await runtimes.guarded.removeGuard?.();
  await internet.remove();
  await rm(folder, { recursive: true });
}
process.exit(0);

async function start(runtime: Runtime, versionId: string, app: string): Promise<Started> {
  const { digest } = await digestFolder(path.join(examplesFolder, app));
  const started = await runtime.start({
    ...{ bundleKind: "example-folder", versionId, replica: 1, organizationId: "", appName: app },
    ...{ imageDigest: digest, imageReference: null },
    openArchive: () => Promise.reject(new Error("an example has no archive")),
    environment: { PLATFORM_STATE_API: "http://172.17.0.1:9" },
  });
  running.push([runtime, started]);
  for (const until = Date.now() + 30_000; ;) {
    const status = await request(`${started.origin}/health`).then(
      async ({ statusCode, body }) => (await body.dump(), statusCode),
      () => 0,
    );
    if (status === 200) return started;
    if (Date.now() > until) throw new Error(`${app} is not healthy at ${started.origin}`);
    await sleep(50);
  }
}

/** That of this process, so that other programs disturb all ways alike. */
async function givePriority(container: string): Promise<void> {
  const { Titles, Processes } = z
    .object({ Titles: z.array(z.string()), Processes: z.array(z.array(z.string())) })
    .parse(await docker.getContainer(container).top());
  const at = Titles.indexOf("PID");
  const [, own] = /nice (-?\d+)/.exec(await readFile("/proc/self/autogroup", "utf8").catch(() => "")) ?? [];
  for (const process of Processes) {
    setPriority(Number(process[at]), getPriority());
    // Where the kernel groups programs by session, it compares only these.
    if (own !== undefined) await writeFile(`/proc/${process[at]}/autogroup`, own);
  }
}

async function measureCalls(): Promise<void> {
  await mkdir(path.join(examplesFolder, ANSWERER), { recursive: true });
  await writeFile(path.join(examplesFolder, ANSWERER, "server.mjs"), ANSWERER_SCRIPT);
  await writeFile(
    path.join(examplesFolder, ANSWERER, "Dockerfile"),
    'ARG BASE\nFROM ${BASE}\nCOPY server.mjs /app/server.mjs\nCMD ["node", "/app/server.mjs"]\n',
  );
  const open = await start(runtimes.open, OPEN, ANSWERER);
  const guarded = await start(runtimes.guarded, GUARDED, ANSWERER);
  for (const container of [open.handle, guarded.handle, guardName(owner)]) await givePriority(container);
  const bench = await prepareGateway();
  try {
    const { databaseUrl, variables, url: gateway, pool, routeId, versionId } = bench;
    const second = await createInstallation(variables, "guarded");
    const credential = "pcc_the-credential-of-the-second-tenant";
    await pool.query(
      "insert into core_credentials (id, tenant_id, hash) values (gen_random_uuid(), $1, $2)",
      [second.tenantId, createHash("sha256").update(credential).digest("hex")],
    );
    for (const [id, origin] of [
      [versionId, open.origin],
      [second.versionId, guarded.origin],
    ])
      await pool.query(
        `insert into instances (id, version_id, runtime, handle, origin, state, ready_at)
         values (gen_random_uuid(), $1, 'bench', 'none', $2, 'READY', now())`,
        [id, origin],
      );
    const floorPort = await freePort();
    await bundle({ gateway: "gateway/main.ts", floor: "bench/bare-proxy.ts" });
    await startPart("floor", [databaseUrl, String(floorPort), routeId], variables);
    const endGateway = await startGateway(variables);
    const order = { method: "POST" as const, headers: CORE_HEADERS, body: JSON.stringify(PAYLOAD) };
    const guardedHeaders = { ...CORE_HEADERS, authorization: `Bearer ${credential}` };
    const targets = {
      direct: { ...order, url: `${open.origin}/autofill` },
      relayed: { ...order, url: `${guarded.origin}/autofill` },
      floor: { ...order, url: `http://127.0.0.1:${floorPort}/` },
      open: { ...order, url: `${gateway}/r/${routeId}` },
      guarded: { ...order, headers: guardedHeaders, url: `${gateway}/r/${second.routeId}` },
    };
    const idle: Record<keyof typeof targets, Measured[]> = listed();
    const busy: Record<keyof typeof targets, Measured[]> = listed();
    const names = ["direct", "relayed", "floor", "open", "guarded"] as const;
    for (const name of names) await load({ ...targets[name], connections: CONNECTIONS, seconds: 2 });
    for (let round = 0; round < rounds; round += 1)
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        const one = await load({ ...targets[name], connections: 1, seconds });
        const many = await load({ ...targets[name], connections: CONNECTIONS, seconds });
        idle[name].push(one);
        busy[name].push(many);
        console.log(
          `round ${round + 1}  ${name.padEnd(7)} median of one connection ${one.p50Ms.toFixed(3)} ms,` +
            ` ${CONNECTIONS} connections ${Math.round(many.rate)} calls/s, p99 ${many.p99Ms.toFixed(1)} ms`,
        );
      }
    const each = (calculate: (round: number) => number) =>
      median(Array.from({ length: rounds }, (_, round) => calculate(round)));
    const p50 = (name: keyof typeof targets, round: number) => idle[name][round]?.p50Ms ?? NaN;
    const rate = (name: keyof typeof targets, round: number) => busy[name][round]?.rate ?? NaN;
    for (const name of names) {
      printFigure(
        `call_${name}_p50`,
        each((at) => p50(name, at)),
        "ms",
      );
      printFigure(
        `call_${name}_rate`,
        each((at) => rate(name, at)),
        "calls/s",
      );
    }
    const added = (name: "open" | "guarded") =>
      each((at) => (p50(name, at) - p50("direct", at)) / (p50("floor", at) - p50("direct", at)));
    printFigure("call_added_over_floor", added("open"), "ratio");
    printFigure("call_added_over_floor_guarded", added("guarded"), "ratio");
    printFigure(
      "call_rate_over_floor",
      each((at) => rate("open", at) / rate("floor", at)),
      "ratio",
    );
    printFigure(
      "call_rate_over_floor_guarded",
      each((at) => rate("guarded", at) / rate("floor", at)),
      "ratio",
    );
    printFigure(
      "call_guard_added",
      each((at) => p50("guarded", at) - p50("open", at)),
      "ms",
    );
    // Other programs of the machine only ever make a round slower.
    const fastest = (name: keyof typeof targets) => Math.min(...idle[name].map(({ p50Ms }) => p50Ms));
    const most = (name: keyof typeof targets) => Math.max(...busy[name].map((each) => each.rate));
    const [direct, floor] = [fastest("direct"), fastest("floor")];
    for (const name of ["open", "guarded"] as const) {
      printFigure(`call_best_${name}_p50`, fastest(name), "ms");
      printFigure(`call_best_${name}_added_over_floor`, (fastest(name) - direct) / (floor - direct), "ratio");
      printFigure(`call_best_${name}_rate_over_floor`, most(name) / most("floor"), "ratio");
    }
    await endGateway();
  } finally {
    await bench.end();
  }

  function listed() {
    return { direct: [], relayed: [], floor: [], open: [], guarded: [] };
  }
}

/** TLS connections of a probing app until the server's first bytes, and how much one carries. */
async function measureConnections(): Promise<void> {
  await writeProber(examplesFolder);
  const open = await start(runtimes.open, v7(), PROBER);
  const versionId = v7();
  allowed.set(
    versionId,
    allowHosts([{ host: "a.example", purpose: "p" }], { cores: [], valuesOf: () => [] }),
  );
  const guarded = await start(runtimes.guarded, versionId, PROBER);
  // The server is a neighbor of the open app, and of the guard.
  for (const container of [open.handle, guarded.handle, guardName(owner)]) await givePriority(container);
  for (const Container of [open.handle, guardName(owner)])
    await docker.getNetwork(internet.network).connect({ Container });
  const seen: Record<"direct" | "guarded", z.output<typeof measured>[]> = { direct: [], guarded: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const [name, origin, host] of [
      ["direct", open.origin, internet.address],
      ["guarded", guarded.origin, "a.example"],
    ] as const) {
      const [result = ""] = await tryFrom(origin, [
        { way: "measure", host, port: PORTS.tls, times: CONNECTS, bytes: BYTES },
      ]);
      seen[name].push(measured.parse(JSON.parse(result)));
      console.log(`round ${round + 1}  ${name.padEnd(7)} ${result}`);
    }
  const of = (name: "direct" | "guarded", value: keyof z.output<typeof measured>) =>
    median(seen[name].map((each) => each[value]));
  printFigure("guard_connect_direct", of("direct", "medianMs"), "ms");
  printFigure("guard_connect_added_ms", of("guarded", "medianMs") - of("direct", "medianMs"), "ms");
  printFigure("guard_throughput_direct", of("direct", "mibPerSecond"), "MiB/s");
  printFigure("guard_throughput", of("guarded", "mibPerSecond"), "MiB/s");
}

/** Of the guard's container, with as many networks as there would be apps. */
async function measureMemory(): Promise<void> {
  const read = async () => {
    const { memory_stats: memory } = usage.parse(
      await docker.getContainer(guardName(owner)).stats({ stream: false }),
    );
    const cached = memory.stats?.total_inactive_file ?? memory.stats?.inactive_file ?? 0;
    return (memory.usage - cached) / 1_048_576;
  };
  const takeSubnet = takeSubnets(SUBNETS);
  const guard = createGuard({ docker, owner, appSubnets: SUBNETS, takeSubnet }, options);
  await guard.originOf(SUBNETS.replace("0/20", "2"));
  printFigure("guard_memory_few_apps", await read(), "MiB");
  const networks: string[] = [];
  const hosts = Array.from({ length: HOSTS }, (_, index) => ({ host: `h${index}.example`, purpose: "p" }));
  try {
    for (let number = 0; number < APPS; number += 1) {
      const versionId = v7();
      allowed.set(versionId, allowHosts(hosts, { cores: [], valuesOf: () => [] }));
      const name = `platform-bench-${number}-${process.pid}`;
      const Labels = { ...guard.labels("http://172.17.0.1:9"), "platform.version": versionId };
      const subnet = await createAppNetwork(docker, SUBNETS, takeSubnet, {
        ...{ Name: name, Labels },
        ...CLOSED_NETWORK,
      });
      networks.push(name);
      await guard.open(name, guard.place(subnet).guardAddress);
    }
    await sleep(3_000);
    printFigure("guard_memory_100_apps", await read(), "MiB");
  } finally {
    guard.close();
    for (const name of networks) {
      const network = docker.getNetwork(name);
      await network.disconnect({ Container: guardName(owner), Force: true }).catch(() => undefined);
      await network.remove().catch(() => undefined);
    }
  }
}
