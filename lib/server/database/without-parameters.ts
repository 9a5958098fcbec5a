/** What a failed query was given — addresses, password hashes, payloads — stays out of logs, messages and answers. */
import { DrizzleQueryError } from "drizzle-orm";
import pg from "pg";

/**
 * The error itself when no query is among its causes; else one of the same class, with message, stack and causes, in which
 * a query stands with `$1` in place of its values, and PostgreSQL's words without those that it quotes.
 */
export function withoutParameters(error: unknown): unknown {
  if (!(error instanceof Error) || !isOfQuery(error)) return error;
  const message = plainMessage(error);
  const plain = Object.assign(new Error(message), factsOf(error));
  const end = error.stack?.indexOf(error.message) ?? -1;
  const frames = end === -1 ? "" : error.stack?.slice(end + error.message.length);
  plain.stack = `${error.name}: ${message}${frames}`;
  Object.setPrototypeOf(plain, Object.getPrototypeOf(error));
  if (error.cause !== undefined) plain.cause = withoutParameters(error.cause);
  return plain;
}

function isOfQuery(error: unknown): boolean {
  if (error instanceof DrizzleQueryError || error instanceof pg.DatabaseError) return true;
  return error instanceof Error && isOfQuery(error.cause);
}

/** Its class of codes 22 is about values, which its words repeat in quotes. */
function plainMessage(error: Error): string {
  if (error instanceof DrizzleQueryError) return `Failed query: ${error.query}`;
  if (!(error instanceof pg.DatabaseError) || error.code?.startsWith("22") !== true) return error.message;
  return error.message.replace(/".*"/s, '"…"');
}

/** Its `detail` and `where` quote rows; these name what is in the schema. */
function factsOf(error: Error): object {
  if (!(error instanceof pg.DatabaseError)) return "code" in error ? { code: error.code } : {};
  const { code, severity, table, column, constraint, routine } = error;
  return { code, severity, table, column, constraint, routine };
}
