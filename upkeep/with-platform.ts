import { sqlStateOf } from "@/lib/server/database/connect";
import type { Platform } from "@/lib/server/platform/platform";
import { openPlatform } from "./open-platform";

/** 0: done; 1: something is not as it should be. */
export type ExitCode = 0 | 1;

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs one command, and says in words what ended it early. Without the words of a query: they may hold what is stored. */
export async function withPlatform(
  root: string,
  work: (platform: Platform) => Promise<ExitCode>,
): Promise<ExitCode> {
  const platform = await openPlatform(root).catch(refuse);
  if (platform === undefined) return 1;
  try {
    return await work(platform);
  } catch (error) {
    process.stderr.write(`It was broken off: ${wordsOf(error)}\n`);
    return 1;
  } finally {
    await platform.pool.end();
  }
}

/** What the environment or the data folder lacks is all in the message. */
function refuse(error: unknown): undefined {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}

const UNDEFINED_TABLE = "42P01";

function wordsOf(error: unknown): string {
  if (sqlStateOf(error) === UNDEFINED_TABLE)
    return "the database is older than this code: start the platform once, which brings it up to date.";
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const fault = inner instanceof AggregateError ? inner.errors[0] : inner;
  const words = fault instanceof Error ? fault.message : String(fault);
  return `${words}\nThe platform must run, with its database. What was done stays; run this again to go on.`;
}
