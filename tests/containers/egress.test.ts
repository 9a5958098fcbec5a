/** P17 on a real engine: an app reaches what its manifest declares and nothing else, without any firewall rule. */
import { createSocket } from "node:dgram";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer, type Server } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Docker from "dockerode";
import { request } from "undici";
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findContainerAddress } from "@/launcher/addresses";
import type { AllowedHosts, EgressCount } from "@/lib/contract/runtime/egress";
import { nameAddress, nameCoreUrl } from "@/lib/domain/platform/guarded-app";
import { allowHosts } from "@/lib/domain/runtime/egress/allowed-hosts";
import { digestFolder } from "@/lib/server/catalog/publish/example-folder";
import { dockerRuntime, readEngineId } from "@/lib/server/runtime/engines/docker";
import type { Started } from "@/lib/server/runtime/engines/runtime";
import { createCertificate } from "../egress/certificate";
import { createInternet, type Internet, PORTS } from "../egress/internet";
import { type Attempt, keepTrying, PROBER, readSeen, tryFrom, writeProber } from "../egress/prober";

const SUBNETS = "10.215.77.0/24";
/** Public to everyone who looks at it, and in nobody's use here. */
const INTERNET = "11.215.77.0/24";

const address = await findContainerAddress();
const canRun = process.platform === "linux" && process.arch === "x64" && address?.shared === true;

/** After a kill. */
const BACK_SECONDS = 5;
const MOST_KILLS = 3;
const WATCHED_MS = 20_000;

interface Cell {
  place: string;
  attempt: Attempt;
  expected: "open" | "closed";
}

describe.skipIf(!canRun)("the egress guard", () => {
  const docker = new Docker();
  const machine = address?.listen ?? "";
  const allowed = new Map<string, AllowedHosts>();
  const counts = new Map<string, EgressCount>();
  const servers: { close(): unknown }[] = [];
  const [appVersion, otherVersion] = [v7(), v7()];
  let folder = "";
  let owner = "";
  let common = { dataDir: "", examplesFolder: "", appSubnets: SUBNETS };
  let internet: Internet;
  let runtime: ReturnType<typeof dockerRuntime>;
  let open: ReturnType<typeof dockerRuntime>;
  let app: Started;
  let other: Started;
  let order: (versionId: string) => Parameters<typeof runtime.start>[0];
  let listeners: number[] = [];
  let [statePort, corePort, secureCorePort] = [0, 0, 0];

  async function listen(server: Server, host: string): Promise<number> {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const bound = server.address();
    return bound !== null && typeof bound === "object" ? bound.port : 0;
  }

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "platform-egress-"));
    owner = readEngineId(folder);
    const greet = () =>
      createServer((socket) => void socket.on("error", () => undefined).end("the machine\n"));
    // They stand for the database, the pages and the engine, on all addresses of this machine.
    listeners = await Promise.all([listen(greet(), "0.0.0.0"), listen(greet(), "0.0.0.0")]);
    listeners.push(await listen(greet(), machine));
    statePort = await listen(
      createHttpServer((_, answer) => answer.end("ok")),
      machine,
    );
    corePort = await listen(
      createHttpServer(({ headers: { host } }, answer) => answer.end(`the core, asked as ${host}`)),
      machine,
    );
    const certificate = createCertificate(machine);
    secureCorePort = await listen(
      createHttpsServer(certificate, ({ headers: { host } }, answer) =>
        answer.end(`the core, asked over TLS as ${host}`),
      ),
      machine,
    );
    const [udp] = [createSocket("udp4")];
    udp.on("message", (_, from) => udp.send("the machine", from.port, from.address));
    await new Promise<void>((resolve) => udp.bind(PORTS.udp, machine, resolve));
    servers.push(udp);
    internet = await createInternet(docker, INTERNET, {
      "api.example.com": [["internet"]],
      "tiles.maps.example": [["internet"]],
      "other.example": [["internet"]],
      "pages.platform.example": [["internet"]],
      "private.example": [[machine]],
      "metadata.example": [["169.254.169.254"]],
      "mixed.example": [["internet", machine]],
      "rebinding.example": [["internet"], [machine]],
      "core.customer.example": [[machine]],
      "sly.customer.example": [[machine]],
    });
    const names = ["private", "metadata", "mixed", "rebinding"].map((name) => `${name}.example`);
    const ports = [80, 443, ...listeners];
    allowed.set(
      appVersion,
      allowHosts(
        [
          { host: "api.example.com", ports: [80, 443], purpose: "p" },
          { host: "*.maps.example", purpose: "p" },
          { host: "*.platform.example", ports: [80, 443], purpose: "p" },
          ...names.map((host) => ({ host, ports, purpose: "p" })),
        ],
        {
          cores: [
            { url: `http://${machine}:${corePort}/tenants/one`, mayBePrivate: true },
            { url: `https://${machine}:${secureCorePort}`, mayBePrivate: true },
            { url: `http://localhost:${corePort}`, mayBePrivate: true },
            { url: `http://[fd00::5]:${corePort}`, mayBePrivate: true },
            { url: `http://core.customer.example:${corePort}`, mayBePrivate: true },
            { url: `http://sly.customer.example:${corePort}`, mayBePrivate: false },
          ],
          valuesOf: () => [],
        },
      ),
    );
    allowed.set(otherVersion, allowHosts([], { cores: [], valuesOf: () => [] }));
    const examplesFolder = path.join(folder, "examples");
    const { digest } = await digestFolder(await writeProber(examplesFolder));
    order = (versionId) => ({
      bundleKind: "example-folder",
      versionId,
      replica: 1,
      organizationId: "",
      appName: PROBER,
      imageDigest: digest,
      openArchive: () => Promise.reject(new Error("an example has no archive")),
      imageReference: null,
      environment: { PLATFORM_STATE_API: `http://${machine}:${statePort}` },
    });
    common = { dataDir: folder, examplesFolder, appSubnets: SUBNETS };
    runtime = dockerRuntime(
      {
        ...common,
        egress: {
          isRequired: true,
          readAllowed: async () => allowed,
          readAuthorities: async () => certificate.cert,
          places: [{ host: "pages.platform.example", port: 443 }],
          noteCounts: (_, changed) =>
            changed.forEach((count) => counts.set(`${count.versionId} ${count.host} ${count.port}`, count)),
          nameServers: [internet.address],
        },
      },
      docker,
    );
    open = dockerRuntime({ ...common, dataDir: `${folder}-open` }, docker);
    // At once: the guard is told of networks that it hasn't joined yet.
    [app, other] = await Promise.all([runtime.start(order(appVersion)), runtime.start(order(otherVersion))]);
    await docker.getNetwork(internet.network).connect({ Container: `platform-egress-${owner}` });
    for (const { origin } of [app, other]) await untilHealthy(origin);
  }, 120_000);

  afterAll(async () => {
    for (const started of [app, other]) if (started !== undefined) await runtime.stop(started.handle, 0);
    await runtime.close();
    await runtime.removeGuard?.();
    await internet.remove();
    servers.forEach((server) => server.close());
    for (const each of [folder, `${folder}-open`, `${folder}-beside`])
      await rm(each, { recursive: true, force: true });
  });

  async function untilHealthy(origin: string): Promise<void> {
    for (const until = Date.now() + 30_000; ;) {
      const status = await request(`${origin}/health`).then(
        async ({ statusCode, body }) => (await body.dump(), statusCode),
        () => 0,
      );
      if (status === 200) return;
      if (Date.now() > until) throw new Error(`${origin} is not healthy`);
      await sleep(50);
    }
  }

  const isOpen = (result: string) =>
    ["internet", "the machine", "connected", "status 200"].includes(result) || result.startsWith("the core");

  /** Every host by every way. */
  async function listCells(): Promise<Cell[]> {
    const inspected = await docker.getContainer(app.handle).inspect();
    const [network] = Object.values(inspected.NetworkSettings.Networks);
    const neighbor = Object.values(
      (await docker.getContainer(other.handle).inspect()).NetworkSettings.Networks,
    )[0];
    const [own, theirs] = [network?.IPAddress ?? "", neighbor?.IPAddress ?? ""];
    const at = (base: string, number: number) =>
      base.replace(/\d+$/, (last) => String(Number(last) - 2 + number));
    const guard = at(own, 3);
    const byName = (place: string, host: string, isAllowed: boolean): Cell[] => [
      { place, attempt: { way: "tls", host, port: 443 }, expected: isAllowed ? "open" : "closed" },
      { place, attempt: { way: "http", host, port: 80 }, expected: isAllowed ? "open" : "closed" },
      { place, attempt: { way: "tls", host, port: PORTS.otherTls }, expected: "closed" },
      { place, attempt: { way: "http", host, port: 443 }, expected: "closed" },
      { place, attempt: { way: "udp", host, port: PORTS.udp }, expected: "closed" },
      { place, attempt: { way: "tls", host, port: 443, family: 6 }, expected: "closed" },
      // Past the name server, straight to the guard.
      {
        place,
        attempt: { way: "tls", host: guard, port: 443, servername: host },
        expected: isAllowed ? "open" : "closed",
      },
      {
        place,
        attempt: { way: "http", host: guard, port: 80, name: host },
        expected: isAllowed ? "open" : "closed",
      },
    ];
    const byAddress = (place: string, host: string, ports: readonly number[]): Cell[] => [
      ...ports.flatMap((port): Cell[] => [
        { place, attempt: { way: "tcp", host, port }, expected: "closed" },
        { place, attempt: { way: "tcp", host: `::ffff:${host}`, port }, expected: "closed" },
      ]),
      { place, attempt: { way: "udp", host, port: PORTS.udp }, expected: "closed" },
      { place, attempt: { way: "tls", host: guard, port: 443, servername: host }, expected: "closed" },
      { place, attempt: { way: "http", host: guard, port: 80, name: host }, expected: "closed" },
    ];
    const core = nameAddress(machine)?.name ?? "";
    const byCore = (): Cell[] => {
      const cell = (attempt: Attempt, expected: Cell["expected"]): Cell => ({
        ...{ place: "a customer's core", attempt, expected },
      });
      return [
        cell({ way: "http", host: core, port: corePort }, "open"),
        cell({ way: "http", host: "core.customer.example", port: corePort }, "open"),
        cell({ way: "http", host: `tls-${core}`, port: secureCorePort }, "open"),
        cell({ way: "tls", host: `tls-${core}`, port: secureCorePort }, "closed"),
        cell({ way: "http", host: core, port: secureCorePort }, "closed"),
        cell({ way: "http", host: "127-0-0-1.core.internal", port: corePort }, "closed"),
        cell({ way: "http", host: "fd00-0-0-0-0-0-0-5.core.internal", port: corePort }, "closed"),
        // The platform itself would not connect to this one in a private network.
        cell({ way: "http", host: "sly.customer.example", port: corePort }, "closed"),
        cell({ way: "tcp", host: machine, port: corePort }, "closed"),
        cell({ way: "http", host: guard, port: corePort, name: machine }, "closed"),
        cell(
          { way: "http", host: guard, port: corePort, name: core.replace("-1.core", "-2.core") },
          "closed",
        ),
        cell({ way: "tls", host: core, port: corePort }, "closed"),
        cell({ way: "udp", host: core, port: PORTS.udp }, "closed"),
        ...[80, 443, statePort, ...listeners].flatMap((port) => [
          cell({ way: "http", host: core, port }, "closed"),
          cell({ way: "tls", host: core, port }, "closed"),
          cell({ way: "http", host: guard, port, name: core }, "closed"),
        ]),
      ];
    };
    const outer = new URL(app.origin);
    const otherOuter = new URL(other.origin);
    const lan = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .find(({ family, internal, address: each }) => family === "IPv4" && !internal && each !== machine);
    return [
      { place: "the state API", attempt: { way: "state" }, expected: "open" },
      ...byName("a declared host", "api.example.com", true),
      ...byName("a host that isn't declared", "other.example", false),
      ...byName("the platform's own host", "pages.platform.example", false),
      ...byName("a name with a private address", "private.example", false),
      ...byName("a name with a metadata address", "metadata.example", false),
      ...byName("a name with public and private addresses", "mixed.example", false),
      ...["private.example", "rebinding.example", "mixed.example"].flatMap((host) =>
        listeners.map((port): Cell => ({
          place: "the machine's listeners by name",
          attempt: { way: "tls", host, port },
          expected: "closed",
        })),
      ),
      ...byCore(),
      ...byAddress("a public server by its address", internet.address, [443, 80]),
      ...byAddress("the machine at the engine's bridge", machine, listeners),
      ...byAddress("the machine at the app's network", at(own, 1), listeners),
      ...(lan === undefined ? [] : byAddress("the machine at its own address", lan.address, listeners)),
      ...byAddress("link-local and metadata addresses", "169.254.169.254", [80]),
      ...byAddress("another app", theirs, [8080]),
      ...byAddress("the guard in another app's network", at(theirs, 3), [53, 443, 61_001]),
      ...byAddress("the guard's own address", outer.hostname, [
        Number(outer.port),
        Number(otherOuter.port),
        443,
      ]),
      ...byAddress("the guard in the app's network", guard, [22, 8081, Number(otherOuter.port)]),
    ];
  }

  // Guarantee: two launches on one database and one engine don't take each other's apps out of reach.
  test("a launch beside this one finds an app where its own guard offers it", async () => {
    const egress = { isRequired: true, readAllowed: async () => allowed };
    const beside = dockerRuntime({ ...common, dataDir: `${folder}-beside`, egress }, docker);
    expect(await beside.inspect(app.handle)).toEqual({ running: true, origin: app.origin });
    await beside.close();
  });

  test("every host by every way is open or closed as the manifest says", { timeout: 120_000 }, async () => {
    const cells = await listCells();
    const results = await tryFrom(
      app.origin,
      cells.map(({ attempt }) => attempt),
    );
    const differing = cells.flatMap(({ place, attempt, expected }, index) => {
      const seen = results[index] ?? "";
      return isOpen(seen) === (expected === "open") ? [] : [{ place, attempt, expected, seen }];
    });
    expect(differing).toEqual([]);
    expect(results.length).toBe(cells.length);
    console.log(`figure egress_cells ${cells.length} cells`);
    console.log(
      `figure egress_cells_open ${cells.filter(({ expected }) => expected === "open").length} cells`,
    );
    console.log(`figure egress_cells_differ ${differing.length} cells`);
    const [declared, refused] = ["api.example.com 443", "other.example 443"].map((key) =>
      counts.get(`${appVersion} ${key}`),
    );
    expect(declared?.connections).toBeGreaterThan(0);
    await expect
      .poll(() => counts.get(`${appVersion} other.example 443`)?.refused ?? refused?.refused ?? 0)
      .toBeGreaterThan(0);
  });

  test("a core whose URL has an address is asked as that address, under the name that the app gets", async () => {
    const url = new URL(nameCoreUrl(`http://${machine}:${corePort}/tenants/one`));
    const [seen] = await tryFrom(app.origin, [{ way: "http", host: url.hostname, port: corePort }]);
    expect(seen).toBe(`the core, asked as ${machine}:${corePort}`);
  });

  // Guarantee: a core is reached at any IPv4 address, with HTTPS, too; where none can be reached, the app and its publisher learn why.
  test("a core with HTTPS at an address is asked over TLS, and cores out of reach are refused with the reason", async () => {
    const url = (core: string): Attempt => {
      const { hostname, port, protocol } = new URL(nameCoreUrl(core));
      expect(protocol).toBe("http:");
      return { way: "http", host: hostname, port: Number(port) };
    };
    const attempts = [
      `https://${machine}:${secureCorePort}`,
      `http://localhost:${corePort}`,
      `http://[fd00::5]:${corePort}`,
    ].map(url);
    expect(await tryFrom(app.origin, attempts)).toEqual([
      `the core, asked over TLS as ${machine}:${secureCorePort}`,
      "status 403",
      "status 403",
    ]);
    const reasonOf = (host: string) => counts.get(`${appVersion} ${host} ${corePort}`)?.reason;
    await expect.poll(() => reasonOf("127-0-0-1.core.internal")).toMatch(/^has a loopback address/);
    await expect.poll(() => reasonOf("fd00-0-0-0-0-0-0-5.core.internal")).toMatch(/^has no IPv4 address/);
  });

  test("a name whose address changes never leads to the machine", async () => {
    const port = listeners[0] ?? 0;
    const seen: string[] = [];
    const both = () => seen.includes("internet") && seen.some((result) => result !== "internet");
    // Until both addresses were looked up: the guard keeps each for ten seconds.
    for (const start = Date.now(); !both() || Date.now() - start < 11_000;)
      seen.push(
        ...(await tryFrom(app.origin, [
          { way: "tls", host: "rebinding.example", port: 443 },
          { way: "tls", host: "rebinding.example", port },
        ])),
      );
    expect(seen).toContain("internet");
    expect(seen).not.toContain("the machine");
    expect(seen.some((result) => result !== "internet")).toBe(true);
  });

  test("without the guard, the same app reaches the machine", async () => {
    const started = await open.start(order(appVersion));
    try {
      await untilHealthy(started.origin);
      const attempts = listeners.map((port): Attempt => ({ way: "tcp", host: machine, port }));
      // What is closed with the guard is closed by it, and not by this machine.
      expect((await tryFrom(started.origin, attempts)).some(isOpen)).toBe(true);
    } finally {
      await open.stop(started.handle, 0);
    }
  });

  test(
    "a guard that is killed under load is back within 5 s, and nothing leaks meanwhile",
    { timeout: 120_000 },
    async () => {
      const { NetworkSettings } = await docker.getContainer(app.handle).inspect();
      const [network] = Object.values(NetworkSettings.Networks);
      // Straight to the guard: a name server that doesn't answer keeps a program waiting for longer than the guard is away.
      const host = (network?.IPAddress ?? "").replace(/\d+$/, (last) => String(Number(last) + 1));
      const fine: Attempt = { way: "tls", host, port: 443, servername: "api.example.com" };
      const closed: Attempt[] = [
        { way: "tls", host, port: 443, servername: "other.example" },
        { way: "tcp", host: machine, port: listeners[0] ?? 0 },
        { way: "tcp", host: internet.address, port: 443 },
      ];
      let seconds = Infinity;
      // Other tests may keep the whole machine busy for a moment, but nothing may ever leak.
      for (let tries = 0; tries < MOST_KILLS && seconds > BACK_SECONDS; tries += 1) {
        const { backSeconds, seen } = await killUnderLoad(fine, closed);
        const leaked = seen.filter(
          ({ servername, result }) => servername !== fine.servername && isOpen(result),
        );
        expect(leaked).toEqual([]);
        console.log(`figure guard_back_after_kill ${backSeconds.toFixed(2)} s`);
        console.log(`figure guard_leaked_connections ${leaked.length} of ${seen.length} attempts`);
        seconds = backSeconds;
      }
      expect(seconds).toBeLessThan(BACK_SECONDS);
    },
  );

  /** How long it takes until what is allowed passes again, and all that the app tried from before the kill until then. */
  async function killUnderLoad(fine: Attempt, closed: readonly Attempt[]) {
    await keepTrying(app.origin, [fine, ...closed], WATCHED_MS);
    const opened = async (after: number) => {
      // The platform's own way to the app is away, too.
      const seen = await readSeen(app.origin).catch(() => []);
      const again = seen.filter(
        ({ servername, at, result }) => servername === fine.servername && at > after && isOpen(result),
      );
      return Math.min(...again.map(({ endedAt }) => endedAt));
    };
    await expect.poll(() => opened(0), { timeout: 15_000 }).toBeLessThan(Infinity);
    const guard = docker.getContainer(`platform-egress-${owner}`);
    const { Pid } = (await guard.inspect()).State;
    const killedAt = Date.now();
    // As root, the process itself, so that the engine restarts it; otherwise by the engine, which leaves that to the worker.
    if (process.getuid?.() === 0) process.kill(Pid, "SIGKILL");
    else await guard.kill();
    await expect.poll(() => opened(killedAt), { timeout: WATCHED_MS, interval: 100 }).toBeLessThan(Infinity);
    const backSeconds = ((await opened(killedAt)) - killedAt) / 1_000;
    // Rules that are in force again must be all of them.
    await sleep(1_000);
    return { backSeconds, seen: await readSeen(app.origin) };
  }
});
