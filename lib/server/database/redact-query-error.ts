/** Keeps the parameters of failed queries (addresses, password hashes, payloads) out of logs and messages. */
import { DrizzleQueryError } from "drizzle-orm";
import pg from "pg";

/**
 * Returns the error itself if no query error is among its causes. Otherwise returns a copy with class, message, stack
 * and causes, in which queries have `$1` for values and PostgreSQL's messages don't quote any.
 */
export function redactQueryError(error: unknown): unknown {
  if (!(error instanceof Error) || !hasQueryError(error)) return error;
  const message = redactMessage(error);
  const redacted = Object.assign(new Error(message), pickSchemaFacts(error));
  const end = error.stack?.indexOf(error.message) ?? -1;
  const frames = end === -1 ? "" : error.stack?.slice(end + error.message.length);
  redacted.stack = `${error.name}: ${message}${frames}`;
  Object.setPrototypeOf(redacted, Object.getPrototypeOf(error));
  if (error.cause !== undefined) redacted.cause = redactQueryError(error.cause);
  return redacted;
}

function hasQueryError(error: unknown): boolean {
  if (error instanceof DrizzleQueryError || error instanceof pg.DatabaseError) return true;
  return error instanceof Error && hasQueryError(error.cause);
}

/** Messages of class 22 quote values. */
function redactMessage(error: Error): string {
  if (error instanceof DrizzleQueryError) return `Failed query: ${error.query}`;
  if (!(error instanceof pg.DatabaseError) || error.code?.startsWith("22") !== true) return error.message;
  return error.message.replace(/".*"/s, '"…"');
}

/** `detail` and `where` quote rows; these fields only name parts of the schema. */
function pickSchemaFacts(error: Error): object {
  if (!(error instanceof pg.DatabaseError)) return "code" in error ? { code: error.code } : {};
  const { code, severity, table, column, constraint, routine } = error;
  return { code, severity, table, column, constraint, routine };
}
