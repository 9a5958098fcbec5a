/** The command line, a network that breaks, a gateway that is killed, the database and the store. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { versions } from "@/drizzle/schema/catalog";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { createTar, dockerArchive } from "@/lib/server/images/archive/test-archives";
import { freePort } from "@/lib/server/platform/machine";
import { createRandom } from "@/tests/hostile-images/case";
import { testBundles } from "@/tests/received-bundles";
import { givenListing, givenMember, testPlatform } from "@/tests/test-platform";
import { runProgram } from "../program";
import { readCliEnvironment } from "../terminal/environment";
import { recordTerminal } from "../terminal/test-terminal";

const MASTER_KEYS = "resume:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const platform = await testPlatform({ PLATFORM_MASTER_KEYS: MASTER_KEYS });
const bundles = await testBundles();
const port = await freePort();
const random = createRandom(13);
const noise = (bytes: number) => Buffer.from(Array.from({ length: bytes }, () => Math.floor(random() * 256)));

let child: ChildProcess;
/** Connections wait for it, so that nothing depends on how fast a gateway starts. */
let started: Promise<unknown>;

function startGateway(): void {
  const { DATABASE_URL, PLATFORM_DATA_DIR } = platform.environment;
  child = fork(".build/gateway.js", {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      NODE_ENV: "test",
      PATH: process.env.PATH,
      DATABASE_URL,
      PLATFORM_DATA_DIR,
      PLATFORM_MASTER_KEYS: MASTER_KEYS,
      PLATFORM_LOG_LEVEL: "silent",
      PLATFORM_GATEWAY_PORT: String(port),
    },
  });
  started = once(child, "message");
}

/** Bytes that the command line has sent, and where its connection is destroyed. */
const network = { sent: 0, breaks: [] as { at: number; isKill: boolean }[] };

const proxy = createServer((client) => {
  client.on("error", () => {});
  void started.then(() => {
    const server = connect(port, "127.0.0.1");
    const end = () => {
      client.destroy();
      server.destroy();
    };
    server.on("error", end).on("close", end).pipe(client);
    client.on("close", end).on("data", (chunk: Buffer) => {
      network.sent += chunk.length;
      const next = network.breaks[0];
      if (next === undefined || network.sent < next.at) return void server.write(chunk);
      network.breaks.shift();
      if (next.isKill) {
        const killed = once(child, "exit");
        child.kill("SIGKILL");
        started = killed.then(startGateway).then(() => started);
      }
      end();
    });
  });
});

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "resume-"));
  startGateway();
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  proxy.close();
  child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

// Guarantee (Must show 5): whatever breaks on the way, the version is the one that was sent, and nothing is sent needlessly.
test("an upload broken at ten seeded points, twice by killing the gateway, ends with the same digest", async () => {
  const member = await givenMember(platform);
  await givenListing(platform, member);
  const { clientId, apiKey } = await createApiKey(platform, member, "CI");
  const manifestFile = path.join(folder, "platform-app.json");
  const archiveFile = path.join(folder, "app.tar");
  await writeFile(
    manifestFile,
    JSON.stringify({ name: "acme/vin-lookup", version: "1.4.0", app: { fields: [] } }),
  );
  const terminal = recordTerminal();
  const environment = readCliEnvironment({
    XDG_CONFIG_HOME: folder,
    PLATFORM_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    PLATFORM_CLIENT_ID: clientId,
    PLATFORM_API_KEY: apiKey,
  });
  const base = await createTar([{ name: "base", content: noise(2_000_000) }]);
  const publish = async (content: Buffer) => {
    const manifest = { name: "acme/vin-lookup", version: "1.4.0", app: { fields: [] } };
    const top = await createTar([
      { name: "server.js", content },
      { name: "platform-app.json", content: JSON.stringify(manifest) },
    ]);
    const archive = await dockerArchive({ layers: [base, top] });
    await writeFile(archiveFile, archive);
    const argv = ["publish", archiveFile, "--manifest", manifestFile];
    const status = await runProgram(argv, { ...environment, uploadRetryMs: Array(12).fill(20) }, terminal);
    expect(status, terminal.lines.join("\n")).toBe(0);
    return bundles.receive(archive);
  };
  const stored = async (number: string) =>
    (await platform.db.select().from(versions)).find((version) => version.number === number);

  const points = Array.from({ length: 10 }, () => 50_000 + Math.floor(random() * 2_800_000));
  points.sort((one, other) => one - other);
  network.breaks = points.map((at, index) => ({ at, isKill: index === 2 || index === 7 }));
  const { archiveDigest } = await publish(noise(1_000_000));
  expect(network.breaks).toEqual([]);
  expect((await stored("1.5.0"))?.archiveDigest).toBe(archiveDigest);

  network.sent = 0;
  const second = await publish(noise(300_000));
  expect((await stored("1.6.0"))?.archiveDigest).toBe(second.archiveDigest);
  expect(network.sent).toBeLessThan(400_000);
  expect(terminal.lines).toContain("1 of 2 layers are already uploaded.");
});
