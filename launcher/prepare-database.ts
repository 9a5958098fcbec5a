import { setTimeout as sleep } from "node:timers/promises";
import { sqlStateOf } from "@/lib/server/platform/database/connect";
import { migrateDatabase } from "@/lib/server/platform/database/migrate";
import { StartError } from "./data-folder/secrets";

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
const FIXES: Record<string, string> = {
  "28P01": "The user name or password is wrong. Correct it in DATABASE_URL.",
  "28000":
    "The server does not accept this user from here. Check its pg_hba.conf, or sslmode in DATABASE_URL.",
  "3D000": "The database does not exist. Create it, or correct its name in DATABASE_URL.",
  "42501": "The user is not allowed to create tables. Make it the owner of the database.",
};

/** Waits for the server, then migrates. No message contains the password. */
export async function prepareDatabase(url: string, migrationsFolder: string): Promise<void> {
  const location = parseLocation(url);
  let reported = false;
  for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(1_000)) {
    const error = await migrateDatabase(url, migrationsFolder).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (error === undefined) return;
    const { code, message } = describeError(error);
    const mayRecover =
      UNREACHABLE.has(code) || BUSY.has(code) || /timeout|terminated unexpectedly/i.test(message);
    if (!mayRecover)
      throw new StartError(
        [`The database at ${location} cannot be used: ${message}`, FIXES[code]].filter(Boolean).join("\n"),
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

/** If a name has several addresses, they fail as one AggregateError without a message. */
function describeError(error: unknown): { code: string; message: string } {
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  if (!(inner instanceof Error)) return { code: "", message: String(inner) };
  const cause = inner.cause instanceof Error ? inner.cause : inner;
  const code = sqlStateOf(inner) ?? ("code" in cause && typeof cause.code === "string" ? cause.code : "");
  return { code, message: cause.message };
}
