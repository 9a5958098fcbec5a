import { setTimeout as sleep } from "node:timers/promises";
import { sqlStateOf } from "@/lib/server/database/connect";
import { migrateDatabase } from "@/lib/server/database/migrate";
import { Refusal } from "./refusal";

const PATIENCE_MS = 30_000;
const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);
/** The server is there but starts or stops just now, or has no connection left. */
const BUSY = new Set(["57P03", "57P01", "53300"]);
const ADVICE: Record<string, string> = {
  "28P01": "The user or the password is wrong: mend it in DATABASE_URL.",
  "28000": "The server refuses this user from here: look at its pg_hba.conf, or at sslmode in DATABASE_URL.",
  "3D000": "There is no such database: create it, or mend the name in DATABASE_URL.",
  "42501": "The user may not create tables: make it the owner of the database.",
};

/** Waits for the server, then migrates. The password is in none of the messages. */
export async function prepareDatabase(
  url: string,
  migrationsFolder: string,
  onWait: (message: string) => void,
): Promise<void> {
  const place = placeOf(url);
  let told = false;
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(1_000)) {
    const error = await migrateDatabase(url, migrationsFolder).then(
      () => undefined,
      (fault: unknown) => fault,
    );
    if (error === undefined) return;
    const { code, words } = describe(error);
    const mayCome = UNREACHABLE.has(code) || BUSY.has(code) || /timeout|terminated unexpectedly/i.test(words);
    if (!mayCome)
      throw new Refusal(
        `The database at ${place} cannot be used: ${words}\n${ADVICE[code] ?? "See the message above."}`,
      );
    if (Date.now() > deadline || code === "ENOTFOUND") {
      throw new Refusal(
        `The database at ${place} cannot be reached (${words || code}).\n` +
          "Start it, mend DATABASE_URL, or unset DATABASE_URL to use the embedded PostgreSQL.",
      );
    }
    if (!told)
      onWait(`Waiting up to ${PATIENCE_MS / 1000} s for the database at ${place} (${code || words}) …`);
    told = true;
  }
}

function placeOf(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}:${port || "5432"}${pathname}`;
  } catch {
    throw new Refusal("DATABASE_URL is no address. Write it as postgres://user:password@host:5432/database.");
  }
}

/** Several addresses of one name fail as one AggregateError without a message. */
function describe(error: unknown): { code: string; words: string } {
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  if (!(inner instanceof Error)) return { code: "", words: String(inner) };
  const cause = inner.cause instanceof Error ? inner.cause : inner;
  const code = sqlStateOf(inner) ?? ("code" in cause && typeof cause.code === "string" ? cause.code : "");
  return { code, words: cause.message };
}
