/** Two gateway processes on two machines: their own disks, one database, one registry, and a balancer in front. */
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { type ClientRequest, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runProgram } from "@/cli/program";
import { readCliEnvironment } from "@/cli/terminal/environment";
import { recordTerminal } from "@/cli/terminal/test-terminal";
import { versions } from "@/drizzle/schema/catalog";
import { blobUploads, storedBlobs, uploadPieces } from "@/drizzle/schema/images";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { createTar, dockerArchive, toDigest } from "@/lib/server/images/archive/test-archives";
import { removeOldUploads } from "@/lib/server/images/keep-blobs";
import { freePort } from "@/lib/server/platform/machine";
import { findRegistryFailure, startRegistry } from "@/tests/containers/registry-server";
import { basic } from "@/tests/matrix/world";
import { type Answer, ask, begin, proceed } from "@/tests/hostile-images/send-blobs";
import { givenListing, givenMember, testPlatform } from "@/tests/test-platform";

const missing = await findRegistryFailure();
const registry = missing === undefined ? await startRegistry() : undefined;
const MASTER_KEYS = "several:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const PLATFORM_REGISTRY_URL = registry === undefined ? "" : `${registry.origin}/platform/apps`;
const platform = await testPlatform({ PLATFORM_MASTER_KEYS: MASTER_KEYS, PLATFORM_REGISTRY_URL });

interface Gateway {
  port: number;
  child: ChildProcess;
  dataDir: string;
  isGone: boolean;
}
const gateways: Gateway[] = [];

async function startGateway(folder: string): Promise<Gateway> {
  const port = await freePort();
  const dataDir = await mkdtemp(path.join(folder, "gateway-"));
  const child = fork(".build/gateway.js", {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      NODE_ENV: "test",
      PATH: process.env.PATH,
      DATABASE_URL: platform.environment.DATABASE_URL,
      PLATFORM_DATA_DIR: dataDir,
      PLATFORM_MASTER_KEYS: MASTER_KEYS,
      PLATFORM_REGISTRY_URL,
      PLATFORM_SHARE_UPLOADS: "64/4",
      PLATFORM_LOG_LEVEL: "silent",
      PLATFORM_GATEWAY_PORT: String(port),
    },
  });
  await once(child, "message");
  const gateway = { port, child, dataDir, isGone: false };
  gateways.push(gateway);
  return gateway;
}

/** Bytes of bodies that were passed on, and at how many of them the gateway that gets them is killed. */
const traffic = { sent: 0, killAt: Infinity, used: new Set<number>() };

/** How long a balancer takes to notice that a gateway is gone. Until then, every other request gets 502, as from nginx. */
const NOTICE_MS = 500;

let turn = 0;
const balancer = createServer((incoming, answer) => {
  const known = gateways.filter(({ isGone }) => !isGone);
  const gateway = known[(turn += 1) % known.length];
  if (gateway === undefined) return void answer.writeHead(502).end();
  const { method, url: target, headers } = incoming;
  const outgoing = request({
    host: "127.0.0.1",
    port: gateway.port,
    method,
    path: target,
    headers,
    agent: false,
  });
  outgoing.on("response", (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  outgoing.on("error", () => {
    if (answer.headersSent) return void answer.destroy();
    answer.writeHead(502, { connection: "close" }).end("Bad Gateway");
  });
  incoming.on("data", (chunk: Buffer) => {
    traffic.sent += chunk.length;
    if (chunk.length > 0) traffic.used.add(gateway.port);
    if (traffic.sent < traffic.killAt) return;
    traffic.killAt = Infinity;
    gateway.child.kill("SIGKILL");
    setTimeout(() => (gateway.isGone = true), NOTICE_MS);
  });
  incoming.pipe(outgoing);
});

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gateways-"));
  await new Promise<void>((resolve) => balancer.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  balancer.close();
  for (const { child } of gateways) child.kill("SIGKILL");
  await registry?.end();
  await rm(folder, { recursive: true, force: true });
});

async function givenSender(slug = "acme") {
  const member = await givenMember(platform, slug);
  await givenListing(platform, member);
  const key = await createApiKey(platform, member, "CI");
  return { member, key, authorization: basic(key) };
}

/** What is left in the database, on the gateways' disks and in the registry when nothing is being sent. */
async function listLeftovers(): Promise<unknown[]> {
  const rows = [await platform.db.select().from(blobUploads), await platform.db.select().from(uploadPieces)];
  const files = await Promise.all(
    gateways
      .filter(({ child }) => child.signalCode === null)
      .map(({ dataDir }) => readdir(path.join(dataDir, "bundles"))),
  );
  return [...rows.flat(), ...files.flat().filter((name) => name !== "blobs")];
}

describe.skipIf(registry === undefined)(`two gateways (${missing ?? "one registry"})`, () => {
  beforeAll(async () => {
    await startGateway(folder);
    await startGateway(folder);
  });

  test("an organization's upload is continued at either gateway, counts once, and doesn't exist for another", async () => {
    const [first, second] = gateways.map(({ port }) => `http://127.0.0.1:${port}`);
    const { authorization } = await givenSender();
    const other = await givenSender("harbor");
    const [one, two] = [first, second].map((base = "") => ({ base, authorization }));
    const blob = randomBytes(300_000);
    const digest = toDigest(blob);
    if (one === undefined || two === undefined) throw new Error("there are two gateways");
    await begin(one, blob);
    expect((await proceed(two, digest, 0, blob.subarray(0, 100_000))).status).toBe(204);
    expect((await ask(one, digest)).headers["upload-offset"]).toBe("100000");

    const foreign = { base: second ?? "", authorization: other.authorization };
    expect((await ask(foreign, digest)).status).toBe(404);
    expect((await proceed(foreign, digest, 100_000, blob.subarray(100_000))).status).toBe(404);

    // Two clients send the same part at the same time, and one more sends it after that.
    const rest = blob.subarray(100_000, 200_000);
    const both = await Promise.all([
      proceed(one, digest, 100_000, rest),
      proceed(two, digest, 100_000, rest),
    ]);
    const statuses = both.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(204);
    expect([204, 409]).toContain(statuses[1]);
    expect((await ask(one, digest)).headers["upload-offset"]).toBe("200000");
    expect((await proceed(two, digest, 100_000, rest)).status).toBe(409);

    await removeOldUploads(platform, new Date(Date.now() + 60_000), { pauseMs: 0 });
    expect((await ask(two, digest)).status).toBe(404);
    expect(await listLeftovers()).toEqual([]);
  });

  // Guarantee (Must show 2): a publication ends well although a gateway is killed in the middle of it, and leaves nothing.
  test("an image of 60 MB is published through both, although one is killed in the middle of a part", async () => {
    const { key } = await givenSender();
    const manifest = JSON.stringify({ name: "acme/vin-lookup", version: "1.4.0", app: { fields: [] } });
    const layers = await Promise.all([
      createTar([{ name: "base", content: randomBytes(40_000_000) }]),
      createTar([{ name: "server.js", content: randomBytes(20_000_000) }]),
      createTar([{ name: "platform-app.json", content: manifest }]),
    ]);
    const archiveFile = path.join(folder, "app.tar");
    const manifestFile = path.join(folder, "platform-app.json");
    await writeFile(manifestFile, manifest);
    await writeFile(archiveFile, await dockerArchive({ layers }));
    const terminal = recordTerminal();
    const environment = readCliEnvironment({
      XDG_CONFIG_HOME: folder,
      PLATFORM_URL: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
      PLATFORM_CLIENT_ID: key.clientId,
      PLATFORM_API_KEY: key.apiKey,
    });
    traffic.killAt = 29_000_000;
    const argv = ["publish", archiveFile, "--manifest", manifestFile];
    const status = await runProgram(argv, { ...environment, uploadRetryMs: Array(12).fill(100) }, terminal);
    expect(status, terminal.lines.join("\n")).toBe(0);
    expect(traffic.killAt).toBe(Infinity);
    expect(traffic.used.size).toBe(2);
    // The part that was lost is sent again, and little else.
    expect(traffic.sent).toBeLessThan(60_000_000 + 2 * 8 * 1024 * 1024 + 2_000_000);
    expect((await platform.db.select().from(versions)).map(({ number }) => number)).toContain("1.5.0");
    expect(await platform.db.select().from(storedBlobs)).toHaveLength(5);

    await removeOldUploads(platform, new Date(Date.now() + 60_000), { pauseMs: 0 });
    expect(await listLeftovers()).toEqual([]);
    expect(await registry?.listBlobs()).toHaveLength(5);
    // 60 MB are hashed, sent, staged in the registry, read again and checked: nothing here waits for time to pass.
  }, 300_000);
});

// Guarantee: an organization gets as much from two gateways as from one, and all of it from the one that is left.
test("what an organization may have in progress is divided between the gateways that work", async () => {
  for (const { child } of gateways.splice(0)) child.kill("SIGKILL");
  const [first, second] = [await startGateway(folder), await startGateway(folder)];
  const { authorization } = await givenSender();
  const sender = { base: `http://127.0.0.1:${first.port}`, authorization };
  const hanging: { destroy: () => void }[] = [];
  const refusals: string[] = [];
  for (const blob of [randomBytes(1000), randomBytes(1000)]) {
    await untilStatus(() => begin(sender, blob), 201);
    hanging.push(hang(first.port, authorization, toDigest(blob), refusals));
  }
  const third = randomBytes(1000);
  const refused = await untilStatus(() => begin(sender, third), 429, refusals);
  expect(refused.text).toContain("Your organization has 2 uploads in progress");
  second.child.kill("SIGKILL");
  await untilStatus(() => begin(sender, third), 201);
  for (const request of hanging) request.destroy();
});

/** A request that sends a part of its body, and nothing more. A busy gateway may refuse it: then it is sent again. */
function hang(port: number, authorization: string, digest: string, refusals: string[]) {
  const headers = {
    "tus-resumable": "1.0.0",
    "content-type": "application/offset+octet-stream",
    "content-length": "1000",
    "upload-offset": "0",
    authorization,
  };
  const path = `/publish/v1/uploads/${digest}`;
  let current = begin();
  return { destroy: () => current.destroy() };

  function begin(): ClientRequest {
    const hanging = request({ port, method: "PATCH", path, headers, agent: false }, (response) => {
      refusals.push(`the request that hangs was answered with ${response.statusCode}`);
      hanging.destroy();
      current = begin();
    });
    hanging.on("error", () => {});
    hanging.write(Buffer.alloc(10));
    return hanging;
  }
}

/** Gateways learn of each other within seconds. */
async function untilStatus(
  attempt: () => Promise<Answer>,
  status: number,
  events: readonly string[] = [],
): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    const answer = await attempt();
    if (answer.status === status || tries > 100) {
      expect(answer.status, [answer.text, ...events].join("\n")).toBe(status);
      return answer;
    }
    await sleep(200);
  }
}
