/**
 * P17 in a real cluster (see docs/kubernetes.md): the chart's guards, and an app that tries every host by every way, from its first moment and
 * later. Hosts are at a public address that this machine gets for the test, which takes root.
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import Docker from "dockerode";
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import type { AllowedHosts, EgressCount } from "@/lib/contract/runtime/egress";
import { nameAddress } from "@/lib/domain/platform/guarded-app";
import { allowHosts } from "@/lib/domain/runtime/egress/allowed-hosts";
import { CONTROL_PORT } from "@/lib/domain/runtime/egress/control";
import { createLocalInternet, PORTS } from "@/tests/egress/internet";
import { type Attempt, keepTrying, readSeen, tryFrom, writeProber } from "@/tests/egress/prober";
import {
  createPullSecret,
  findClusterFailure,
  type KubernetesFixture,
  kubernetesFixture,
  pushLoaded,
} from "@/tests/kubernetes-fixture";
import { untilHealthy } from "@/tests/runtime-fixtures";
import { findBusybox } from "@/tests/test-image";
import { buildImage } from "../engines/docker-example-image";
import type { Started, StartOrder } from "../engines/runtime";
import type { ClusterGuardOptions } from "./guards";
import type { KubernetesRuntime } from "./kubernetes";

const run = promisify(execFile);
/** Public to everyone who looks at it, and in nobody's use here. */
const INTERNET = "11.215.78.2";
/** Private, and no node's. */
const PRIVATE = "10.99.78.2";
const { PLATFORM_TEST_CALLERS = "10.245.0.1" } = process.env;
const [MACHINE = ""] = PLATFORM_TEST_CALLERS.split(",");

const hasHelm = await run("helm", ["version"]).then(
  () => true,
  () => false,
);
const busybox = await findBusybox();
const skipReason =
  (await findClusterFailure()) ??
  (process.getuid?.() !== 0 ? "it takes root" : !hasHelm ? "helm is not installed" : undefined) ??
  (busybox === undefined ? "no static busybox" : undefined);

/** Of the app's look-ups and connections after a guard was killed. */
const BACK_SECONDS = 10;
const WATCHED_MS = 25_000;

const figure = (text: string) => process.stdout.write(`figure ${text}\n`);

interface Cell {
  place: string;
  attempt: Attempt;
  expected: "open" | "closed";
}

describe.skipIf(skipReason !== undefined)(
  `kubernetes with egress guards${skipReason === undefined ? "" : ` (skipped: ${skipReason})`}`,
  { timeout: 240_000 },
  () => {
    const docker = new Docker();
    const servers: Server[] = [];
    const counts = new Map<string, EgressCount>();
    const allowed = new Map<string, AllowedHosts>();
    const stateHosts = new Set<string>();
    const [appVersion, otherVersion] = [v7(), v7()];
    let folder = "";
    let internet: Awaited<ReturnType<typeof createLocalInternet>>;
    let fixture: KubernetesFixture;
    let platform = "";
    let image = "";
    let guards: ClusterGuardOptions;
    let following: NodeJS.Timeout;
    let runtime: KubernetesRuntime["runtime"];
    let open: KubernetesRuntime["runtime"];
    let order: (versionId: string, replica?: number) => StartOrder;
    let app: Started;
    let other: Started;
    let listeners: number[] = [];
    let [statePort, corePort] = [0, 0];

    async function listen(server: Server, host = MACHINE): Promise<number> {
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, host, resolve));
      const bound = server.address();
      return bound !== null && typeof bound === "object" ? bound.port : 0;
    }

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "platform-guarded-"));
      // They stand for the database, the pages and whatever else is in the cluster's network.
      const greet = () =>
        createServer((socket) => void socket.on("error", () => undefined).end("the machine\n"));
      await run("ip", ["address", "replace", `${PRIVATE}/32`, "dev", "lo"]);
      listeners = [await listen(greet()), await listen(greet())];
      statePort = await listen(
        createHttpServer(({ headers: { host = "" } }, answer) => {
          stateHosts.add(host);
          answer.end("ok");
        }),
      );
      corePort = await listen(
        createHttpServer(({ headers: { host } }, answer) => answer.end(`the core, asked as ${host}`)),
        PRIVATE,
      );
      internet = await createLocalInternet(INTERNET, {
        "api.example.com": [["internet"]],
        "other.example": [["internet"]],
        "private.example": [[MACHINE]],
        "metadata.example": [["169.254.169.254"]],
        "mixed.example": [["internet", MACHINE]],
        "rebinding.example": [["internet"], [MACHINE]],
        "core.customer.example": [[PRIVATE]],
      });
      fixture = await kubernetesFixture(folder, busybox ?? "");
      platform = `${fixture.namespace}-platform`;
      image = await buildGuardImage();
      const appImage = await buildAppImage();
      await installGuards();
      const names = ["private", "metadata", "mixed", "rebinding"].map((name) => `${name}.example`);
      const ports = [80, 443, ...listeners];
      allowed.set(
        appVersion,
        allowHosts(
          [
            { host: "api.example.com", ports: [80, 443], purpose: "p" },
            ...names.map((host) => ({ host, ports, purpose: "p" })),
          ],
          {
            cores: [
              { url: `http://${PRIVATE}:${corePort}/tenants/one`, mayBePrivate: true },
              { url: `http://core.customer.example:${corePort}`, mayBePrivate: true },
              // What a customer could enter to get into the cluster.
              { url: `https://${MACHINE}:6443`, mayBePrivate: true },
              { url: `http://${MACHINE}:${corePort}`, mayBePrivate: true },
              { url: "https://10.96.0.1", mayBePrivate: true },
            ],
            valuesOf: () => [],
          },
        ),
      );
      allowed.set(otherVersion, allowHosts([], { cores: [], valuesOf: () => [] }));
      guards = {
        readAllowed: async () => allowed,
        noteCounts: (_, changed) =>
          changed.forEach((count) => counts.set(`${count.id} ${count.host}`, count)),
        ...{ service: "", names: await findNameServer(), key: KEY, never: ["10.96.0.0/16"] },
        pods: [{ to: { namespace: platform, label: { name: "app-hosting.egress-guard", value: "p" } } }],
      };
      await followGuards();
      following = setInterval(() => void followGuards().catch(() => undefined), 300);
      const stateApi = [{ to: { cidr: `${MACHINE}/32` }, port: statePort }];
      runtime = fixture.another({ guardImage: image, egress: guards, stateApi }).runtime;
      open = fixture.another({ readOwner: async () => "without-guards", stateApi }).runtime;
      order = (versionId, replica = 0) => ({
        ...fixture.serving,
        ...{ versionId, replica, imageReference: appImage },
        environment: { PLATFORM_STATE_API: `http://${MACHINE}:${statePort}` },
      });
      await runtime.refreshEgress?.();
      await until(async () => (await countReady()) === 2);
      [app, other] = await Promise.all([
        runtime.start(order(appVersion)),
        runtime.start(order(otherVersion)),
      ]);
      for (const { origin } of [app, other])
        await until(async () => (await fixture.reach(origin, "/health").catch(() => 0)) === 200);
    }, 240_000);

    afterAll(async () => {
      clearInterval(following);
      await fixture.admin.send({ method: "DELETE", path: `/api/v1/namespaces/${platform}` });
      await fixture.clean();
      internet.remove();
      await run("ip", ["address", "del", `${PRIVATE}/32`, "dev", "lo"]);
      servers.forEach((server) => server.close());
      await rm(folder, { recursive: true });
    });

    /** Of the set-up, where nothing can be expected yet. */
    async function until(isSo: () => Promise<boolean>): Promise<void> {
      const giveUpAt = Date.now() + 90_000;
      while (!(await isSo())) {
        if (Date.now() > giveUpAt) throw new Error(`not in time: ${isSo.toString()}`);
        await sleep(200);
      }
    }

    // The chart's guards.

    const KEY = "k".repeat(48);
    const list = z.object({
      items: z.array(
        z.object({
          metadata: z.object({ name: z.string(), uid: z.string() }),
          status: z.object({
            podIP: z.string().default(""),
            conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]),
          }),
        }),
      ),
    });
    const listGuards = async () =>
      list.parse(await fixture.admin.send({ path: `/api/v1/namespaces/${platform}/pods` })).items;

    const countReady = async () =>
      (await listGuards()).filter(({ status: { conditions } }) =>
        conditions.some(({ type, status }) => type === "Ready" && status === "True"),
      ).length;

    /** In place of the headless Service's name, which only the cluster's name server knows. */
    async function followGuards(): Promise<void> {
      const addresses = (await listGuards()).map(({ status }) => status.podIP).filter((each) => each !== "");
      if (addresses.length > 0) guards.service = addresses.sort().join(",");
    }

    async function findNameServer(): Promise<string> {
      const found = await fixture.admin.send({ path: `/api/v1/namespaces/${platform}/services/p-names` });
      return z.object({ spec: z.object({ clusterIP: z.string() }) }).parse(found).spec.clusterIP;
    }

    /** This machine's Node and the program, as the platform's image has them. */
    async function buildGuardImage(): Promise<string> {
      const source = path.join(folder, "guard");
      await mkdir(source);
      await copyFile(".build/guard.js", path.join(source, "guard.js"));
      await writeFile(
        path.join(source, "Dockerfile"),
        "ARG BASE\nFROM ${BASE}\nWORKDIR /app\nCOPY guard.js /app/.build/guard.js\n",
      );
      return buildAndPush(source, "guard");
    }

    async function buildAppImage(): Promise<string> {
      return buildAndPush(await writeProber(path.join(folder, "examples")), "prober");
    }

    async function buildAndPush(source: string, kind: string): Promise<string> {
      const name = `platform-test/${kind}:${fixture.namespace}`;
      await buildImage(docker, source, name);
      return pushLoaded(name, `${kind}-${fixture.namespace}`);
    }

    const object = z.looseObject({
      apiVersion: z.string(),
      kind: z.string(),
      metadata: z.looseObject({ name: z.string() }),
      spec: z.looseObject({}).optional(),
    });
    const PLURALS: Record<string, string> = {
      ...{ Secret: "secrets", ServiceAccount: "serviceaccounts", Service: "services" },
      ...{ Deployment: "deployments", PodDisruptionBudget: "poddisruptionbudgets" },
      NetworkPolicy: "networkpolicies",
    };

    /** As the chart has them, in a namespace that enforces the profile `restricted`. */
    async function installGuards(): Promise<void> {
      const { admin, namespace } = fixture;
      const closed = {
        ...{ apiVersion: "v1", kind: "Namespace" },
        metadata: { name: platform, labels: { "pod-security.kubernetes.io/enforce": "restricted" } },
      };
      await admin.apply("/api/v1/namespaces", closed);
      await createPullSecret(admin, platform);
      await admin.apply(`/api/v1/namespaces/${platform}/secrets`, {
        ...{ apiVersion: "v1", kind: "Secret", stringData: { PLATFORM_EGRESS_KEY: KEY } },
        metadata: { name: "egress" },
      });
      const [repository, digest] = image.split("@");
      const values = {
        image: { repository, digest, pullSecrets: ["registry"] },
        ...{ web: { url: "http://web.test" }, gateway: { url: "http://gateway.test" } },
        registry: { url: "http://registry.test/apps" },
        apps: { namespace },
        secrets: { database: { name: "d" }, masterKeys: { name: "m" }, egress: { name: "egress" } },
      };
      const file = path.join(folder, "values.json");
      await writeFile(file, JSON.stringify(values));
      const args = ["template", "p", "deploy/chart", "--namespace", platform, "--kube-version", "1.34.0"];
      const { stdout } = await run("helm", [
        ...args,
        ...["--values", file, "--show-only", "templates/guard.yaml"],
      ]);
      for (const document of parseAllDocuments(stdout)) {
        const each = object.parse(adapt(document.toJS()));
        const group = each.apiVersion === "v1" ? "/api/v1" : `/apis/${each.apiVersion}`;
        await admin.apply(`${group}/namespaces/${platform}/${PLURALS[each.kind]}`, each);
      }
      await until(async () => (await listGuards()).filter(({ status }) => status.podIP !== "").length === 2);
    }

    /** The test is the worker, and has the hosts' names. */
    function adapt(given: unknown): unknown {
      const text = JSON.stringify(given);
      if (text.includes('"kind":"NetworkPolicy"'))
        return JSON.parse(
          text.replace(
            '"from":[{"podSelector"',
            `"from":[{"ipBlock":{"cidr":"${MACHINE}/32"}},{"podSelector"`,
          ),
        );
      return JSON.parse(
        text.replace(
          '"enableServiceLinks":false',
          `"enableServiceLinks":false,"dnsPolicy":"None","dnsConfig":{"nameservers":["${INTERNET}"]}`,
        ),
      );
    }

    // What apps see.

    const isOpen = (result: string) =>
      ["internet", "the machine", "connected", "status 200"].includes(result) ||
      result.startsWith("the core");

    const findHost = ({ origin }: Started) => new URL(origin).hostname;

    /** Every host by every way. */
    async function listCells(from: Started): Promise<Cell[]> {
      const [guard = ""] = guards.service.split(",");
      const byName = (place: string, host: string, isAllowed: boolean): Cell[] => {
        const expected = isAllowed ? "open" : "closed";
        return [
          { place, attempt: { way: "tls", host, port: 443 }, expected },
          { place, attempt: { way: "http", host, port: 80 }, expected },
          { place, attempt: { way: "tls", host, port: PORTS.otherTls }, expected: "closed" },
          { place, attempt: { way: "http", host, port: 443 }, expected: "closed" },
          { place, attempt: { way: "udp", host, port: PORTS.udp }, expected: "closed" },
          { place, attempt: { way: "tls", host, port: 443, family: 6 }, expected: "closed" },
          // Past the name server, straight to a guard.
          { place, attempt: { way: "tls", host: guard, port: 443, servername: host }, expected },
          { place, attempt: { way: "http", host: guard, port: 80, name: host }, expected },
        ];
      };
      const byAddress = (place: string, host: string, ports: readonly number[]): Cell[] => [
        ...ports.map((port): Cell => ({ place, attempt: { way: "tcp", host, port }, expected: "closed" })),
        { place, attempt: { way: "udp", host, port: PORTS.udp }, expected: "closed" },
        { place, attempt: { way: "tls", host: guard, port: 443, servername: host }, expected: "closed" },
        { place, attempt: { way: "http", host: guard, port: 80, name: host }, expected: "closed" },
      ];
      const [core = "", node = ""] = [PRIVATE, MACHINE].map((host) => nameAddress(host)?.name);
      const cell = (place: string, attempt: Attempt, expected: Cell["expected"] = "closed"): Cell => ({
        ...{ place, attempt, expected },
      });
      const neighbor = from === other ? app : other;
      const nodes = z
        .object({
          items: z.array(
            z.object({
              status: z.object({ addresses: z.array(z.object({ type: z.string(), address: z.string() })) }),
            }),
          ),
        })
        .parse(await fixture.admin.send({ path: "/api/v1/nodes" }))
        .items.flatMap(({ status }) => status.addresses)
        .filter(({ type }) => type === "InternalIP");
      return [
        cell("the state API", { way: "state" }, "open"),
        ...byName("a declared host", "api.example.com", true),
        ...byName("a host that isn't declared", "other.example", false),
        ...byName("a name with a private address", "private.example", false),
        ...byName("a name with a metadata address", "metadata.example", false),
        ...byName("a name with public and private addresses", "mixed.example", false),
        ...byName("a name of the cluster", "kubernetes.default.svc.cluster.local", false),
        cell("a customer's core", { way: "http", host: core, port: corePort }, "open"),
        cell("a customer's core", { way: "http", host: "core.customer.example", port: corePort }, "open"),
        cell("a customer's core by its address", { way: "tcp", host: PRIVATE, port: corePort }),
        cell("a node as a core", { way: "http", host: node, port: corePort }),
        cell("the API server's node as a core", { way: "tls", host: node, port: 6443 }),
        ...listeners.flatMap((port) => [
          cell("another port of a core's host", { way: "http", host: core, port }),
          cell("the machine by a declared name", { way: "tls", host: "private.example", port }),
          cell("the machine by a changing name", { way: "tls", host: "rebinding.example", port }),
        ]),
        cell("the API server as a core", { way: "tls", host: "10-96-0-1.core.internal", port: 443 }),
        ...byAddress("the API server", "10.96.0.1", [443]),
        ...byAddress("the API server on its node", MACHINE, [6443, ...listeners]),
        ...nodes.flatMap(({ address }) => byAddress("a node", address, [22, 10250, 10256])),
        ...byAddress("the cluster's name server", "10.96.0.10", [53]),
        cell("the cluster's name server", { way: "udp", host: "10.96.0.10", port: 53 }),
        ...byAddress("a public server by its address", INTERNET, [443, 80, 53]),
        ...byAddress("link-local and metadata addresses", "169.254.169.254", [80]),
        ...byAddress("another app", findHost(neighbor), [8080]),
        ...guards.service
          .split(",")
          .map((host) => cell("the control port", { way: "tcp", host, port: CONTROL_PORT })),
        ...byAddress("the name server's Service", guards.names, [80, 443, CONTROL_PORT]),
      ];
    }

    async function tryAll(from: Started): Promise<{ cells: Cell[]; differing: unknown[] }> {
      const cells = await listCells(from);
      const results = await tryFrom(
        from.origin,
        cells.map(({ attempt }) => attempt),
      );
      const differing = cells.flatMap(({ place, attempt, expected }, index) => {
        const seen = results[index] ?? "";
        return isOpen(seen) === (expected === "open") ? [] : [{ place, attempt, expected, seen }];
      });
      return { cells, differing };
    }

    test("every host by every way is open or closed as the manifest says, to an old Pod and to a fresh one", async () => {
      const old = await tryAll(app);
      const fresh = await runtime.start(order(appVersion, 1));
      // Its process may need a moment to listen, and nothing else is waited for.
      await untilHealthy(fixture, fresh.origin);
      const young = await tryAll(fresh);
      expect([old.differing, young.differing]).toEqual([[], []]);
      figure(`cluster_egress_cells ${old.cells.length} cells`);
      figure(
        `cluster_egress_cells_open ${old.cells.filter(({ expected }) => expected === "open").length} cells`,
      );
      figure("cluster_egress_cells_differ 0 cells");
      await runtime.stop(fresh.handle, 0);
      expect([...stateHosts]).toEqual([`state.platform.internal:${statePort}`]);
    });

    test("without the guards, the same app reaches more", async () => {
      const started = await open.start(order(v7()));
      await untilHealthy(fixture, started.origin);
      const [seen = ""] = await tryFrom(started.origin, [{ way: "tcp", host: INTERNET, port: 443 }]);
      await open.stop(started.handle, 0);
      // What is closed with the guards is closed by them, and not by this cluster.
      expect(seen).toBe("connected");
    });

    test("both guards relay, and each is counted for itself", async () => {
      const hosts = guards.service.split(",");
      await tryFrom(
        app.origin,
        hosts.map((host) => ({ way: "tls", host, port: 443, servername: "api.example.com" })),
      );
      const [, uid = ""] = app.handle.split("/");
      const counted = () =>
        [...counts.values()].filter(({ id, host }) => id.startsWith(uid) && host === "api.example.com");
      await expect.poll(() => counted().length).toBe(2);
      expect(new Set(counted().map(({ versionId }) => versionId))).toEqual(new Set([appVersion]));
    });

    test("of two guards, one may be killed under load: what is allowed goes on, and nothing leaks", async () => {
      const fine: Attempt = { way: "tls", host: "api.example.com", port: 443, servername: "api.example.com" };
      const [kept = "", killed = ""] = guards.service.split(",");
      const closed: Attempt[] = [
        { way: "tls", host: kept, port: 443, servername: "other.example" },
        { way: "tls", host: killed, port: 443, servername: "other.example" },
        { way: "tcp", host: MACHINE, port: listeners[0] ?? 0 },
        { way: "tcp", host: INTERNET, port: 443 },
      ];
      await keepTrying(app.origin, [fine, ...closed], WATCHED_MS);
      await sleep(3_000);
      const killedAt = Date.now();
      const pod = (await listGuards()).find(({ status }) => status.podIP === killed);
      process.kill(await findProcess(pod?.metadata.uid ?? ""), "SIGKILL");
      await sleep(WATCHED_MS - 3_000);
      const seen = await readSeen(app.origin);
      const isFine = ({ servername }: { servername?: string }) => servername === fine.servername;
      const leaked = seen.filter((each) => !isFine(each) && isOpen(each.result));
      const failed = seen.filter((each) => isFine(each) && !isOpen(each.result));
      const lastFailedMs = Math.max(0, ...failed.map(({ at }) => at - killedAt));
      figure(`cluster_guard_back_after_kill ${(lastFailedMs / 1_000).toFixed(1)} s`);
      figure(`cluster_guard_failed_connections ${failed.length} of ${seen.filter(isFine).length}`);
      figure(`cluster_guard_leaked_connections ${leaked.length} of ${seen.length} attempts`);
      expect(leaked).toEqual([]);
      expect(lastFailedMs / 1_000).toBeLessThan(BACK_SECONDS);
      await expect.poll(countReady, { timeout: 60_000 }).toBe(2);
    });

    /** Of the guard in this Pod: its node is this machine, or a part of it. */
    async function findProcess(uid: string): Promise<number> {
      const read = (file: string) => readFile(file, "utf8").catch(() => "");
      const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
      for (const id of ids) {
        const [command, groups] = await Promise.all([
          read(`/proc/${id}/cmdline`),
          read(`/proc/${id}/cgroup`),
        ]);
        const isIts = groups.includes(uid) || groups.includes(uid.replaceAll("-", "_"));
        if (uid !== "" && isIts && command.includes("guard.js")) return Number(id);
      }
      throw new Error(`no process of the Pod ${uid} was found`);
    }

    // Guarantee: while apps are moved behind the guards one by one, those from before lose nothing, and the others have no door in them.
    test("a Pod from before the guards goes on until it is replaced", async () => {
      const version = v7();
      allowed.set(version, allowHosts([], { cores: [], valuesOf: () => [] }));
      const stateApi = [{ to: { cidr: `${MACHINE}/32` }, port: statePort }];
      const before = fixture.another({ stateApi }).runtime;
      const old = await before.start(order(version));
      await untilHealthy(fixture, old.origin);
      expect(await runtime.listOnOtherWay?.()).toEqual([old.handle]);
      expect(await before.listOnOtherWay?.()).not.toContain(old.handle);
      const moved = await runtime.start(order(version, 1));
      await untilHealthy(fixture, moved.origin);
      const attempts: Attempt[] = [{ way: "tcp", host: INTERNET, port: 443 }, { way: "state" }];
      await sleep(2_000);
      expect((await tryFrom(old.origin, attempts)).map(isOpen)).toEqual([true, true]);
      expect((await tryFrom(moved.origin, attempts)).map(isOpen)).toEqual([false, true]);
      for (const { handle } of [old, moved]) await runtime.stop(handle, 0);
    });

    // Guarantee: an app never runs before its rules are in force.
    test("an app that no worker tells the guards of doesn't start, and the reason is theirs", async () => {
      const readAllowed = () => Promise.reject(new Error("the database is away"));
      const silent = fixture.another({
        ...{ guardImage: image, egress: { ...guards, readAllowed } },
        readOwner: async () => "tells-nothing",
      }).runtime;
      await expect(silent.start(order(v7()))).rejects.toMatchObject({ reasonCode: "NETWORK_FAILED" });
    });
  },
);
