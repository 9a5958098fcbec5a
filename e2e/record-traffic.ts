/**
 * P3, over all specs: with `PLATFORM_TRAFFIC=<folder>` every response to a page and everything that a platform stores is
 * saved there, with the secrets that were typed, for `npm run scan:canaries` to search.
 */
import { createHash, randomBytes } from "node:crypto";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { APIRequestContext, Browser, BrowserContext } from "@playwright/test";
import Docker from "dockerode";
import pg from "pg";
import { MARK, type Canary } from "@/tests/secrets/find-canaries";

const FOLDER = process.env.PLATFORM_TRAFFIC;

/** A unique secret, with characters that every encoding writes differently. */
export function canary(name: string): string {
  const value = `${MARK} ${randomBytes(9).toString("base64url")} "ä/+&`;
  saveCanary({ name, value, kind: "typed" });
  return value;
}

/** A secret that existed before the tests. */
export function known(name: string, value: string): void {
  saveCanary({ name, value, kind: "typed" });
}

/** A secret that the platform showed once, to one user. */
export function issued(name: string, value: string): void {
  saveCanary({ name, value, kind: "issued" });
}

function saveCanary(canary: Canary): void {
  if (FOLDER === undefined) return;
  mkdirSync(FOLDER, { recursive: true });
  // Two secrets may have the same name, such as the credentials of two tenants of one name.
  const mark = createHash("sha256").update(canary.value).digest("hex").slice(0, 6);
  const line = JSON.stringify({ ...canary, name: `${canary.name} (${mark})` });
  appendFileSync(path.join(FOLDER, "canaries.jsonl"), `${line}\n`);
}

function saveResponse(what: string, headers: object, body: Buffer): void {
  if (FOLDER === undefined) return;
  const folder = path.join(FOLDER, "answers");
  mkdirSync(folder, { recursive: true });
  const bytes = Buffer.concat([Buffer.from(`${what}\n${JSON.stringify(headers)}\n`), body]);
  writeFileSync(path.join(folder, createHash("sha256").update(bytes).digest("hex")), bytes);
}

const recorded = new WeakSet<BrowserContext>();
const recordedSessions = new WeakSet<APIRequestContext>();

/** Documents, the router's payloads and the handlers' JSON. Scripts are the same for everybody. */
export function recordContext(context: BrowserContext): void {
  if (FOLDER === undefined || recorded.has(context)) return;
  recorded.add(context);
  context.on("response", async (response) => {
    if (response.url().includes("/_next/static/")) return;
    // Redirects have no body, and the bodies of a closed page are gone.
    const body = await response.body().catch(() => Buffer.alloc(0));
    saveResponse(`${response.request().method()} ${response.url()}`, response.headers(), body);
  });
}

/** Records every context of this browser, whoever opens it. */
export function recordBrowser(browser: Browser): void {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    recordContext(context);
    return context;
  };
}

/** Records requests without a page; their other methods call `fetch`. */
export function recordSession(session: APIRequestContext): APIRequestContext {
  if (recordedSessions.has(session)) return session;
  recordedSessions.add(session);
  const fetch = session.fetch.bind(session);
  session.fetch = async (target, options) => {
    const answer = await fetch(target, options);
    const body = await answer.body().catch(() => Buffer.alloc(0));
    saveResponse(`${options?.method ?? "GET"} ${answer.url()}`, answer.headers(), body);
    return answer;
  };
  return session;
}

/** While the platform runs: every row of every table, and what the engine reports about the containers. */
export async function saveTables(name: string, databaseUrl: string): Promise<void> {
  if (FOLDER === undefined) return;
  const folder = path.join(FOLDER, "stores", name);
  await mkdir(folder, { recursive: true });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname not like 'pg_%' and schemaname <> 'information_schema'",
  );
  for (const { name: table } of rows) {
    const { rows: found } = await client.query<{ row: string }>(`select t::text as row from ${table} t`);
    await writeFile(path.join(folder, `table-${table}.txt`), found.map(({ row }) => row).join("\n"));
  }
  await client.end();
  await saveInspections(folder);
}

async function saveInspections(folder: string): Promise<void> {
  const docker = new Docker();
  const containers = await docker.listContainers({ all: true }).catch(() => []);
  for (const { Id, Names } of containers) {
    if (!Names.some((name) => name.startsWith("/platform-"))) continue;
    const inspected = await docker
      .getContainer(Id)
      .inspect()
      .catch(() => undefined);
    await writeFile(path.join(folder, `inspect-${Id.slice(0, 12)}.json`), JSON.stringify(inspected ?? {}));
  }
}

/** After it stopped: logs, output, and the database's files with their write-ahead log. Without the setting all are deleted. */
export async function saveDataFolder(name: string, dataDir: string, output: string): Promise<void> {
  if (FOLDER === undefined) return rm(dataDir, { recursive: true, force: true });
  const folder = path.join(FOLDER, "stores", name);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "output.txt"), output);
  // Bundles are large, and contain only the publishers' images.
  await rm(path.join(dataDir, "bundles"), { recursive: true, force: true });
  await rename(dataDir, path.join(folder, "data"));
}
