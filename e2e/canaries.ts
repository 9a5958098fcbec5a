/** P3: secrets that were typed or issued are searched for where they must never be: answers to pages, logs, the database. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { BrowserContext } from "@playwright/test";
import pg from "pg";
import { databaseUrlOf, type RunningPlatform } from "./start-platform";

export interface Haystack {
  where: string;
  text: string;
}

/** A state key as apps get it: whatever attempt it belongs to, none may be found. */
const STATE_KEY = /psk_[\w-]{100,}/;

/** Collects what the server answers to a person's pages: documents, payloads of the router, handlers' JSON. */
export function collectAnswers(context: BrowserContext): Haystack[] {
  const answers: Haystack[] = [];
  context.on("response", async (response) => {
    if (response.url().includes("/_next/static/")) return;
    const text = await response.text().catch(() => "");
    answers.push({
      where: `${response.request().method()} ${response.url()}`,
      text: JSON.stringify(response.headers()) + text,
    });
  });
  return answers;
}

/** All logs, and every row of every table. */
export async function readStores(platform: RunningPlatform): Promise<Haystack[]> {
  const folder = path.join(platform.dataDir, "logs");
  const logs = (await readdir(folder)).map(async (name) => ({
    where: `log ${name}`,
    text: await readFile(path.join(folder, name), "utf8"),
  }));
  const client = new pg.Client({ connectionString: await databaseUrlOf(platform) });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
  );
  const rows: Haystack[] = [];
  for (const { name } of tables.rows) {
    const { rows: found } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
    rows.push({ where: `table ${name}`, text: found.map(({ row }) => row).join("\n") });
  }
  await client.end();
  return [...(await Promise.all(logs)), ...rows, { where: "output of npm start", text: platform.output() }];
}

/** Where any form of any of the secrets stands; a state key counts as one. */
export function findSecrets(haystacks: Haystack[], secrets: Record<string, string>): string[] {
  const found: string[] = [];
  for (const { where, text } of haystacks) {
    if (STATE_KEY.test(text)) found.push(`a state key in ${where}`);
    for (const [name, secret] of Object.entries(secrets)) {
      if (formsOf(secret).some((form) => text.includes(form))) found.push(`${name} in ${where}`);
    }
  }
  return found;
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString("base64").replace(/=+$/, "");
  // The last characters of base64 depend on what follows, so all but those are looked for.
  const forms = [
    secret,
    base64.slice(0, -2),
    bytes.toString("hex"),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
  return [...new Set([...forms, bytes.toString("base64url").slice(0, -2)])];
}

export function bytesOf(haystacks: Haystack[]): number {
  return haystacks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
}
