import { setTimeout as sleep } from "node:timers/promises";
import { migrateDatabase } from "@/lib/server/platform/database/migrate";
import { StartError } from "./data-folder/secrets";
import { describeDatabaseError } from "./explain-database";

const TIMEOUT_MS = 30_000;
const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);
/** The server is starting or stopping, or has no connection left. */
const BUSY = new Set(["57P03", "57P01", "53300"]);
/** Waits for the server, then migrates. No message contains the password. */
export async function prepareDatabase(url: string, migrationsFolder: string): Promise<void> {
  const location = parseLocation(url);
  let reported = false;
  for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(1_000)) {
    const error = await migrateDatabase(url, migrationsFolder, {
      onWait: () =>
        console.log(
          `Waiting until another launch has migrated the database at ${location}, or backed it up.`,
        ),
    }).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (error === undefined) return;
    const { code, message, fix } = describeDatabaseError(error);
    const mayRecover =
      UNREACHABLE.has(code) || BUSY.has(code) || /timeout|terminated unexpectedly/i.test(message);
    if (!mayRecover)
      throw new StartError(
        [`The database at ${location} cannot be used: ${message}`, fix].filter(Boolean).join("\n"),
      );
    if (Date.now() > deadline || code === "ENOTFOUND") {
      throw new StartError(
        `The database at ${location} cannot be reached (${message || code}).\n` +
          "Start it, correct DATABASE_URL, or unset DATABASE_URL to use the embedded PostgreSQL.",
      );
    }
    if (!reported)
      console.log(
        `Waiting up to ${TIMEOUT_MS / 1000} s for the database at ${location} (${code || message})…`,
      );
    reported = true;
  }
}

function parseLocation(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}:${port || "5432"}${pathname}`;
  } catch {
    throw new StartError(
      "DATABASE_URL is not a valid URL. Write it as postgres://user:password@host:5432/database.",
    );
  }
}
