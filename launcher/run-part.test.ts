/** Parts that run alone, as in containers: real processes on a real PostgreSQL. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { freePort } from "@/lib/server/platform/machine";
import { startTemporaryDatabase, type TemporaryDatabase } from "@/tests/temporary-database";

const keys = newMasterKey("k1");
let database: TemporaryDatabase;
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "part-"));
  database = await startTemporaryDatabase("migrated");
  await query("migrated", "create database empty");
}, 120_000);

afterAll(async () => {
  await database.stop();
  await rm(folder, { recursive: true });
});

async function query(name: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(`${database.server}/${name}`);
  await client.connect();
  return client.query(text).finally(() => client.end());
}

interface Output {
  child: ChildProcess;
  /** Its lines so far. */
  lines: string[];
}

function startPart(
  name: string,
  settings: Record<string, string>,
  [command, ...args]: string[] = [process.execPath, "launcher/start.mjs", name],
): Output {
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "production",
    PATH: process.env.PATH,
    HOME: folder,
    PLATFORM_DATA_DIR: folder,
    ...settings,
  };
  const child = spawn(command ?? "", args, { env });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => lines.push(...String(chunk).split("\n").filter(Boolean)));
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, lines };
}

async function runPart(name: string, settings: Record<string, string>) {
  const { child, lines } = startPart(name, settings);
  const [code] = await once(child, "close");
  return { code, lines, messages: lines.map((line): string => JSON.parse(line).msg).join("\n") };
}

const url = (name: string) => `${database.server}/${name}`;

// Guarantee: whoever has only the image makes the first moderator and backups with it, without knowing its files.
test("commands run like parts", async () => {
  const { child, lines } = startPart("backup", {}, [
    process.execPath,
    "launcher/start.mjs",
    "backup",
    "--help",
  ]);
  expect(await once(child, "close")).toEqual([0, null]);
  expect(lines.join("\n")).toContain("back up the database and the images");
});

test("a part that doesn't exist and settings that are missing are named", async () => {
  expect((await runPart("wbe", {})).lines.join()).toMatch(
    /no part called wbe.*web, gateway, worker, migrate.*setup, backup, restore/,
  );
  expect(await runPart("gateway", {})).toMatchObject({
    code: 1,
    messages: expect.stringMatching(/Set DATABASE_URL and PLATFORM_MASTER_KEYS.*npm start/),
  });
  expect(await runPart("worker", { DATABASE_URL: url("empty") })).toMatchObject({
    code: 1,
    messages: expect.stringMatching(/PLATFORM_MASTER_KEYS is not set[^]*Only for a new database, create one/),
  });
});

test("before the database is prepared, a part says how to do it; preparing it twice is fine", async () => {
  const settings = { DATABASE_URL: url("empty"), PLATFORM_MASTER_KEYS: keys };
  expect(await runPart("gateway", settings)).toMatchObject({
    code: 1,
    messages: expect.stringContaining("migrate"),
  });
  for (let time = 0; time < 2; time += 1)
    expect(await runPart("migrate", settings)).toMatchObject({ code: 0 });
  await expect(query("empty", "select 1 from installations")).resolves.toBeDefined();
});

/** Of the gateway's health; 0 if nobody answers. */
function readStatus(port: number): Promise<number> {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    ({ status }) => status,
    () => 0,
  );
}

// Guarantee: no part keeps serving as an orphan, so its next start finds its port free.
test("a part that npm started ends when npm is killed", async () => {
  const port = await freePort();
  const settings = {
    DATABASE_URL: url("migrated"),
    PLATFORM_MASTER_KEYS: keys,
    PLATFORM_GATEWAY_PORT: String(port),
  };
  const { child } = startPart("gateway", settings, ["npm", "run", "start:gateway"]);
  await expect.poll(() => readStatus(port), { timeout: 60_000 }).toBe(200);
  child.kill("SIGKILL");
  await expect.poll(() => readStatus(port)).toBe(0);
});

// Guarantee: one part answers, ends in order on SIGTERM, and every line of its output is a JSON object.
test("a gateway alone answers, and ends on SIGTERM; with other keys it doesn't start", async () => {
  const port = await freePort();
  const settings = {
    DATABASE_URL: url("migrated"),
    PLATFORM_MASTER_KEYS: keys,
    PLATFORM_GATEWAY_PORT: String(port),
    PLATFORM_GATEWAY_URL: `http://127.0.0.1:${port}`,
  };
  const { child, lines } = startPart("gateway", settings);
  await expect.poll(() => readStatus(port), { timeout: 60_000 }).toBe(200);
  child.kill("SIGTERM");
  await expect(once(child, "close")).resolves.toEqual([0, null]);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ part: "gateway" });

  const without = (await runPart("gateway", { ...settings, PLATFORM_MASTER_KEYS: "" })).messages;
  expect(without).toMatch(/protected by the master key 'k1': set it again/);
  expect(without).not.toContain("node -e");
  const others = await runPart("gateway", { ...settings, PLATFORM_MASTER_KEYS: newMasterKey("k1") });
  expect(others).toMatchObject({ code: 1, messages: expect.stringContaining("keys of the other parts") });
});
