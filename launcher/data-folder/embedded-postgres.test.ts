import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import pg from "pg";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { isAlive } from "@/lib/server/platform/machine";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres";
import { PostgresServer } from "./postgres-server";
import { readSecrets } from "./secrets";

let dataDir = "";
let running: EmbeddedPostgres | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "launcher-"));
  await chmod(dataDir, 0o755);
});

afterEach(async () => {
  await running?.stop();
  if (running !== undefined && !running.folder.startsWith(dataDir))
    await rm(path.dirname(running.folder), { recursive: true });
  running = undefined;
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedPostgres> {
  running = await startEmbeddedPostgres(dataDir, await readSecrets(dataDir));
  return running;
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(statement);
  await client.end();
  return rows;
}

async function postmaster(server: EmbeddedPostgres): Promise<number> {
  return Number((await readFile(path.join(server.folder, "postmaster.pid"), "utf8")).split("\n")[0]);
}

/** Starts the server from a separate process, and kills that process; with `everything`, all that it started but the server. */
async function startAndDie(
  everything: boolean,
  beforeDeath?: (server: EmbeddedPostgres) => Promise<void>,
): Promise<EmbeddedPostgres> {
  const file = path.join(".build", `test-${path.basename(dataDir)}.mjs`);
  const contents = `
    import { startEmbeddedPostgres } from "./launcher/data-folder/embedded-postgres";
    import { readSecrets } from "./launcher/data-folder/secrets";
    console.log(JSON.stringify(await startEmbeddedPostgres(process.argv[2], await readSecrets(process.argv[2]))));
    setInterval(() => {}, 1000);`;
  const stdin = { contents, resolveDir: process.cwd() };
  await build({ stdin, outfile: file, bundle: true, platform: "node", format: "esm", packages: "external" });
  const launcher = spawn(process.execPath, [file, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(launcher.stdout, "data");
  const server: EmbeddedPostgres = JSON.parse(String(line));
  await beforeDeath?.(server);
  const pid = await postmaster(server);
  const children = execFileSync("pgrep", ["-P", String(launcher.pid)], { encoding: "utf8" })
    .trim()
    .split("\n");
  if (everything)
    for (const child of children.map(Number).filter((each) => each !== pid)) process.kill(child, "SIGKILL");
  launcher.kill("SIGKILL");
  await once(launcher, "exit");
  await rm(file);
  return server;
}

// Guarantee: a launcher that is killed leaves no server behind, and the parts can still finish what they began.
test("after kill -9 of the launcher, the server ends as soon as nobody uses it", async () => {
  let client = new pg.Client();
  const killed = await startAndDie(false, async ({ url }) => {
    client = new pg.Client({ connectionString: url });
    await client.connect();
  });
  const pid = await postmaster(killed);
  await sleep(1_500);
  expect(isAlive(pid)).toBe(true);
  await client.query("create table saved (n int); insert into saved values (7)");
  await client.end();
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(await query((await start()).url, "select n from saved")).toEqual([{ n: 7 }]);
});

// Guarantee: if a server is left behind all the same, the next start takes over the folder without losing data.
test("a leftover server is stopped cleanly and its data remains", async () => {
  const first = await startAndDie(true);
  await query(first.url, "create table saved (n int); insert into saved values (7)");
  const leftover = await postmaster(first);
  expect(isAlive(leftover)).toBe(true);
  const second = await start();
  expect(isAlive(leftover)).toBe(false);
  expect(second.url).toBe(first.url);
  expect(await query(second.url, "select n from saved")).toEqual([{ n: 7 }]);
});

test("after kill -9 of everything, it recovers on the same port", async () => {
  const first = await start();
  await query(first.url, "create table saved (n int); insert into saved values (7)");
  const dead = await postmaster(first);
  // As in a kill of the whole process tree: no launcher restarts it.
  await crash(first, dead);
  const second = await start();
  expect(second.url).toBe(first.url);
  expect(await query(second.url, "select n from saved")).toEqual([{ n: 7 }]);
});

async function crash(server: EmbeddedPostgres, pid: number): Promise<void> {
  const stopped = server.stop();
  process.kill(pid, "SIGKILL");
  await stopped;
}

test("a server that ends by itself is restarted", async () => {
  const server = await start();
  const dead = await postmaster(server);
  process.kill(dead, "SIGKILL");
  await expect.poll(() => query(server.url, "select 1 as n").catch(() => undefined)).toEqual([{ n: 1 }]);
  expect(await postmaster(server)).not.toBe(dead);
});

// Guarantee: one failed restart is not the last one, the terminal says so, and the log with the cause is kept.
test("a server whose restart fails is tried again until it runs", async () => {
  const said: string[] = [];
  vi.spyOn(console, "warn").mockImplementation((text) => void said.push(String(text)));
  onTestFinished(() => void vi.restoreAllMocks());
  const server = await start();
  const settings = path.join(server.folder, "postgresql.auto.conf");
  const before = await readFile(settings, "utf8");
  await writeFile(settings, "no_such_setting = 1\n");
  process.kill(await postmaster(server), "SIGKILL");
  await expect.poll(() => said.join("\n"), { timeout: 20_000 }).toMatch(/did not start[^]*no_such_setting/);
  await writeFile(settings, before);
  await expect.poll(() => said.at(-1), { timeout: 20_000 }).toBe("PostgreSQL is running again.");
  expect(await query(server.url, "select 1 as n")).toEqual([{ n: 1 }]);
  const pauses = said.flatMap((line) => /Restarting it in ([\d.]+) s/.exec(line)?.[1] ?? []).map(Number);
  expect(pauses.length).toBeGreaterThan(1);
  expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
  const log = path.join(dataDir, "postgres.log");
  expect(await readFile(log, "utf8")).toContain("no_such_setting");
  await server.stop();
  await start();
  expect(await readFile(`${log}.last`, "utf8")).toContain("no_such_setting");
});

/** Stands for a server that recovers for a while before it is ready. */
const RECOVERING = `#!/usr/bin/env node
  const { appendFileSync, writeFileSync } = require("node:fs");
  const folder = process.argv[process.argv.indexOf("-D") + 1];
  const note = (state) => writeFileSync(folder + "/postmaster.pid", [process.pid, folder, 0, 0, "", "", 0, state].join("\\n"));
  appendFileSync(folder + "/starts", "x");
  note("starting");
  setTimeout(() => note("ready   "), 2_000);
  setInterval(() => {}, 1_000);`;

// Guarantee: a long recovery is waited for. A second server on its folder, or the end of the first, would make it longer.
test("a server that recovers for long is left to it, and the terminal says so", async () => {
  const said: string[] = [];
  vi.spyOn(console, "warn").mockImplementation((text) => void said.push(String(text)));
  onTestFinished(() => void vi.restoreAllMocks());
  const binaries = { native: dataDir, postgres: "", initdb: "", ctl: "" };
  for (const [name, text] of [
    ["postgres", RECOVERING],
    ["ctl", '#!/bin/sh\nkill -9 "$(head -n 1 "$3/postmaster.pid")"'],
  ] as const) {
    binaries[name] = path.join(dataDir, name);
    await writeFile(binaries[name], text, { mode: 0o755 });
  }
  const log = path.join(dataDir, "postgres.log");
  const server = new PostgresServer(binaries, dataDir, log, undefined, { patienceMs: 300 });
  onTestFinished(() => server.stop());
  await server.start("127.0.0.1", 1);
  expect(said.length).toBeGreaterThan(2);
  expect(new Set(said)).toEqual(new Set([expect.stringContaining("PostgreSQL is still starting")]));
  // The same goes for a restart.
  process.kill(
    Number((await readFile(path.join(dataDir, "postmaster.pid"), "utf8")).split("\n")[0]),
    "SIGKILL",
  );
  await expect.poll(() => said.at(-1)).toBe("PostgreSQL is running again.");
  expect(await readFile(path.join(dataDir, "starts"), "utf8")).toBe("xx");
});

// Guarantee: a signal to all processes, as of a supervisor, stops the server for good.
test("a server that ends while everything stops is not restarted", async () => {
  const server = await start();
  const pid = await postmaster(server);
  server.expectEnd();
  process.kill(pid, "SIGTERM");
  await expect.poll(() => isAlive(pid)).toBe(false);
  await sleep(1_500);
  await expect(query(server.url, "select 1")).rejects.toThrow(/ECONNREFUSED/);
});

test("the password is random, and only the owner can read its file", async () => {
  const server = await start();
  const file = path.join(dataDir, "secrets.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readSecrets(dataDir)).postgresPassword.length).toBeGreaterThan(30);
  const wrong = new URL(server.url);
  wrong.password = "wrong";
  await expect(query(wrong.href, "select 1")).rejects.toThrow(/password/);
});

test.runIf(process.getuid?.() === 0)(
  "as root, it also starts in a folder that only root can access",
  async () => {
    await chmod(dataDir, 0o700);
    const server = await start();
    expect(await query(server.url, "select 1 as n")).toEqual([{ n: 1 }]);
    expect(
      execFileSync("ps", ["-o", "user=", "-p", String(await postmaster(server))], {
        encoding: "utf8",
      }).trim(),
    ).toBe("postgres");
    await server.stop();
    const again = await start();
    expect(again.folder).toBe(server.folder);
  },
);
