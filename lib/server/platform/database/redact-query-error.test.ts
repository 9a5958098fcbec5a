import { inspect } from "node:util";
import { DrizzleQueryError, eq, sql } from "drizzle-orm";
import pino from "pino";
import { expect, test } from "vitest";
import { users } from "@/drizzle/schema/accounts";
import { testPlatform } from "@/tests/test-platform";
import { insertUser } from "../../accounts/account-queries";
import { LOG_SERIALIZERS } from "../platform";
import { redactQueryError } from "./connect";

const platform = await testPlatform();
const CANARY = "canary-4f1d";
const row = { email: `${CANARY}@harbor.example`, name: CANARY, passwordHash: CANARY };

async function catchError(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** The log line that the platform writes. */
function logged(error: unknown): string {
  let line = "";
  pino({ serializers: LOG_SERIALIZERS }, { write: (text) => void (line += text) }).error(
    { err: error },
    "broke",
  );
  return line;
}

/** A unique violation (its detail quotes the value), a value of a wrong type (its message does), and others. */
async function failures(): Promise<unknown[]> {
  await insertUser(platform.db, row);
  return Promise.all([
    catchError(insertUser(platform.db, row)),
    catchError(platform.db.select().from(users).where(eq(users.id, CANARY))),
    catchError(platform.db.execute(sql`select ${CANARY} from nowhere`)),
    catchError(platform.pool.query("select $1::int", [CANARY])),
  ]);
}

// Guarantee: no log contains query parameters: addresses, password hashes, payloads.
test("a failed query is logged without its values", async () => {
  for (const error of await failures()) {
    for (const each of [error, new Error("the work broke", { cause: error })]) {
      expect(inspect(each, { depth: 9 })).toContain(CANARY);
      expect(inspect(redactQueryError(each), { depth: 9 })).not.toContain(CANARY);
      expect(logged(each)).not.toContain(CANARY);
    }
  }
});

test("class, message, stack and cause are kept", async () => {
  const [taken] = await failures();
  const line = JSON.parse(logged(new Error("the work broke", { cause: taken })));
  expect(line.err).toMatchObject({
    type: "Error",
    message: "the work broke",
    stack: expect.stringContaining("redact-query-error.test.ts"),
    cause: {
      type: "DrizzleQueryError",
      message: expect.stringMatching(/^Failed query: insert into "users" .*\$1/),
      stack: expect.stringMatching(/\n +at /),
      cause: { type: "DatabaseError", code: "23505", constraint: expect.stringContaining("email") },
    },
  });
  expect(redactQueryError(taken)).toBeInstanceOf(DrizzleQueryError);
});

test("other errors are returned unchanged", () => {
  for (const error of [new TypeError("x"), "text", undefined, null])
    expect(redactQueryError(error)).toBe(error);
});
