/** P8 on a real engine: what the check sees from inside an app, and that its commands close what is open. */
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServer, type Server } from "node:net";
import { promisify } from "node:util";
import Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findContainerAddress } from "@/launcher/addresses";
import { groupCommands, isAsExpected, listReached } from "@/lib/domain/runtime/isolation";
import { checkIsolation } from "@/lib/server/runtime/check-isolation";
import { dockerRuntime, readEngineId } from "@/lib/server/runtime/engines/docker";
import { readIsolation } from "@/lib/server/runtime/isolation";
import * as queries from "@/lib/server/runtime/isolation-queries";
import { onlyRuntime } from "./misbehaving-world";
import { testPlatform } from "../test-platform";

const run = promisify(execFile);

/** A range of its own, so that its firewall rules concern no other test's apps. */
const SUBNETS = "10.214.77.0/24";
const GUARDED_SUBNETS = "10.214.79.0/24";
const OTHER_SUBNET = "10.214.78.0/29";

const address = await findContainerAddress();
const canRun = process.platform === "linux" && process.arch === "x64" && address?.shared === true;
const canClose =
  canRun &&
  process.getuid?.() === 0 &&
  (await run("iptables", ["-t", "mangle", "-S", "FORWARD"]).then(
    () => true,
    () => false,
  ));

/** Creates and removes a network again and again, until it is ended. */
function changeNetworks(docker: Docker, owner: string) {
  let going = true;
  const change = async () => {
    while (going) {
      const IPAM = { Config: [{ Subnet: OTHER_SUBNET }] };
      const network = await docker.createNetwork({ Name: `platform-test-${owner}`, IPAM });
      await network.remove();
    }
  };
  const changed = change();
  const end = () => {
    going = false;
    return changed;
  };
  return { end };
}

describe.skipIf(!canRun)("what apps can reach", async () => {
  const platform = await testPlatform();
  const docker = new Docker();
  const dataDir = path.join(tmpdir(), `isolation-test-${process.pid}`);
  const owner = readEngineId(dataDir);
  afterAll(async () => {
    for (const folder of [dataDir, `${dataDir}-guarded`]) await rm(folder, { recursive: true, force: true });
  });
  const runtimes = onlyRuntime(dockerRuntime({ dataDir, examplesFolder: "", appSubnets: SUBNETS }, docker));
  const servers: Server[] = [];
  const rules: string[] = [];

  async function listen(answer?: string): Promise<number> {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end(answer ?? "");
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, address?.listen, resolve));
    const bound = server.address();
    return bound !== null && typeof bound === "object" ? bound.port : 0;
  }

  async function check(from = runtimes) {
    await queries.request(platform.db);
    await queries.claim(platform.db);
    await checkIsolation(platform, from);
    const view = await readIsolation(platform);
    return { ...view, find: (name: string) => view.places.find((place) => place.name.startsWith(name)) };
  }

  beforeAll(async () => {
    const port = await listen("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok");
    platform.environment.PLATFORM_APP_SUBNETS = SUBNETS;
    platform.environment.PLATFORM_SANDBOX_CORE_URL = `http://${address?.listen}:${await listen()}`;
    platform.environment.PLATFORM_STATE_LISTEN = `${address?.listen}:${port}`;
    platform.environment.PLATFORM_STATE_API_CONTAINER = `http://${address?.listen}:${port}`;
  });

  afterAll(async () => {
    for (const rule of rules) await run("sh", ["-c", rule.replace(" -I ", " -D ")]);
    servers.forEach((server) => server.close());
  });

  test("the state API answers, and other apps and the database do not", async () => {
    let checked = await check();
    // While the engine creates a network for another test, it lets apps reach each other for a moment. Then that is reported.
    while (listReached(checked.find("other apps") ?? { tried: [] }).length > 0) {
      expect(checked.find("other apps")?.commands).toHaveLength(1);
      checked = await check();
    }
    const { state, durationMs, places, find } = checked;
    expect(state).toBe("checked");
    console.log(`figure isolation_check ${((durationMs ?? 0) / 1_000).toFixed(2)} s`);
    const tried = places.reduce((sum, place) => sum + place.tried.length, 0);
    console.log(`figure isolation_addresses_tried ${tried} addresses`);
    expect(find("the state API")?.tried).toEqual([
      {
        address: platform.environment.PLATFORM_STATE_API_CONTAINER.slice("http://".length),
        seen: "answered",
      },
    ]);
    const [neighbor] = find("other apps")?.tried ?? [];
    expect(neighbor?.address).toMatch(/^10\.214\.77\.\d+:8080$/);
    expect(neighbor?.seen).not.toBe("answered");
    // It listens on this machine's loopback only.
    expect(find("the database")).toMatchObject({ commands: [] });
    expect(checked.egress).toMatchObject({
      way: "open",
      why: expect.stringContaining("PLATFORM_EGRESS=open"),
    });
    expect(places.filter(({ tried }) => tried.length === 0).map(({ name }) => name)).not.toContain(
      "the database",
    );
    const label = [`platform.probe-of=${owner}`];
    expect(await docker.listContainers({ all: true, filters: { label } })).toEqual([]);
    expect(await docker.listNetworks({ filters: { label } })).toEqual([]);
  });

  test("behind the egress guard, everything is closed without any firewall rule", async () => {
    const guardedDir = `${dataDir}-guarded`;
    const egress = { isRequired: false, readAllowed: async () => new Map() };
    const runtime = dockerRuntime(
      { dataDir: guardedDir, examplesFolder: "", appSubnets: GUARDED_SUBNETS, egress },
      docker,
    );
    const port = await listen();
    try {
      const { state, egress: way, places, find } = await check(onlyRuntime(runtime));
      expect([state, way]).toEqual(["checked", { way: "guard" }]);
      expect(places.filter((place) => !isAsExpected(place) || place.commands.length > 0)).toEqual([]);
      // It listens on the address of the engine's bridge, where apps without the guard reach it.
      const tried = find("other programs on this machine")?.tried.map(({ address: each }) => each);
      expect(tried).toContain(`${address?.listen}:${port}`);
      expect(find("other apps")?.tried).toMatchObject([{ address: expect.stringMatching(/:8080$/) }]);
      expect(find("the name server of the egress guard")?.tried).toEqual([
        { address: "state.platform.internal:53", seen: "answered" },
      ]);
      // As where the engine doesn't ask the guard.
      expect(await runtime.probe?.([{ host: "unknown.example", port: 53, isName: true }])).toEqual([
        { address: "unknown.example:53", seen: "unreachable" },
      ]);
      const closed = places.filter(({ expected }) => expected === "closed").length;
      console.log(`figure isolation_guarded_places_closed ${closed} of ${closed} places`);
    } finally {
      await runtime.close();
      await runtime.removeGuard?.();
    }
  });

  test.skipIf(!canClose)("the reported commands close whatever is open", async () => {
    const port = await listen();
    const before = await check();
    const opened = { address: `${address?.listen}:${port}`, seen: "answered" };
    expect(before.find("other programs on this machine")?.tried).toContainEqual(opened);
    // The core is for apps, so the check doesn't report it, and the commands leave it open.
    const { port: corePort } = new URL(platform.environment.PLATFORM_SANDBOX_CORE_URL);
    expect(JSON.stringify(before.places.map(({ tried }) => tried))).not.toContain(`:${corePort}"`);
    const commands = groupCommands(before.places).flatMap((group) => group.commands);
    // `-w`: other tests' containers change rules too.
    expect(commands.filter((command) => command.includes("--dports")).join()).toMatch(
      new RegExp(`-I INPUT .*dports [\\d,]*\\b${corePort}\\b`),
    );
    for (const rule of commands.map((command) => command.replace(/^sudo iptables/, "iptables -w"))) {
      await run("sh", ["-c", rule]);
      rules.push(rule);
    }
    // The engine changes its own rules with every network.
    const changes = changeNetworks(docker, owner);
    try {
      for (let times = 1; times <= 3; times += 1) {
        const after = await check();
        expect(after.places.filter((place) => !isAsExpected(place))).toEqual([]);
      }
    } finally {
      await changes.end();
    }
    const open = before.places.filter((place) => !isAsExpected(place));
    console.log(`figure isolation_open_before_commands ${open.length} places`);
    console.log("figure isolation_open_after_commands 0 places");
  });

  test("without an engine, the check says that nothing isolates apps", async () => {
    const describe = async () => [{ name: "process" as const, isolates: false, unavailable: undefined }];
    expect(await check({ ...runtimes, findIsolating: async () => undefined, describe })).toMatchObject({
      state: "failed",
      problem: expect.stringContaining("plain processes without isolation"),
      egress: { way: "none", why: expect.stringContaining("plain processes without isolation") },
    });
  });

  // In production, nothing runs as a process.
  test("where no app can run, the check says so, and why", async () => {
    const unavailable = "No container engine responds (ENOENT).";
    const describe = async () => [{ name: "docker" as const, isolates: true, unavailable }];
    expect(await check({ ...runtimes, findIsolating: async () => undefined, describe })).toMatchObject({
      state: "failed",
      problem: `No app can run, so there is nothing to check. ${unavailable}`,
      egress: null,
    });
  });
});
