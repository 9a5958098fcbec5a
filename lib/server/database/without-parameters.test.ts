import { inspect } from "node:util";
import { DrizzleQueryError, eq, sql } from "drizzle-orm";
import pino from "pino";
import { expect, test } from "vitest";
import { users } from "@/drizzle/schema/organizations";
import { testPlatform } from "@/tests/test-platform";
import { insertUser } from "../identity/queries";
import { LOG_SERIALIZERS } from "../platform/platform";
import { withoutParameters } from "./without-parameters";

const platform = await testPlatform();
const CANARY = "canary-4f1d";
const row = { email: `${CANARY}@harbor.example`, name: CANARY, passwordHash: CANARY };

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** One line of the log, as the platform writes it. */
function logged(error: unknown): string {
  let line = "";
  pino({ serializers: LOG_SERIALIZERS }, { write: (text) => void (line += text) }).error(
    { err: error },
    "broke",
  );
  return line;
}

/** A value that is taken (its detail quotes it), one that is of another type (its message does), and one too many. */
async function failures(): Promise<unknown[]> {
  await insertUser(platform.db, row);
  return Promise.all([
    failureOf(insertUser(platform.db, row)),
    failureOf(platform.db.select().from(users).where(eq(users.id, CANARY))),
    failureOf(platform.db.execute(sql`select ${CANARY} from nowhere`)),
    failureOf(platform.pool.query("select $1::int", [CANARY])),
  ]);
}

// Guarantee: no log holds what a query was given: addresses, password hashes, payloads.
test("a failed query is logged without its values", async () => {
  for (const error of await failures()) {
    for (const each of [error, new Error("the work broke", { cause: error })]) {
      expect(inspect(each, { depth: 9 })).toContain(CANARY);
      expect(inspect(withoutParameters(each), { depth: 9 })).not.toContain(CANARY);
      expect(logged(each)).not.toContain(CANARY);
    }
  }
});

test("class, message, stack and cause are there", async () => {
  const [taken] = await failures();
  const line = JSON.parse(logged(new Error("the work broke", { cause: taken })));
  expect(line.err).toMatchObject({
    type: "Error",
    message: "the work broke",
    stack: expect.stringContaining("without-parameters.test.ts"),
    cause: {
      type: "DrizzleQueryError",
      message: expect.stringMatching(/^Failed query: insert into "users" .*\$1/),
      stack: expect.stringMatching(/\n +at /),
      cause: { type: "DatabaseError", code: "23505", constraint: expect.stringContaining("email") },
    },
  });
  expect(withoutParameters(taken)).toBeInstanceOf(DrizzleQueryError);
});

test("what is not of a query stays as it is", () => {
  for (const error of [new TypeError("x"), "text", undefined, null])
    expect(withoutParameters(error)).toBe(error);
});
