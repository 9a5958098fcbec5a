import { afterAll, beforeAll, expect, test } from "vitest";
import { DATABASE_AWAY } from "@/lib/contract/platform/availability";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { createFoundation, type Foundation } from "@/lib/server/platform/platform";
import { startTemporaryDatabase, type TemporaryDatabase } from "@/tests/temporary-database";
import {
  databaseProblem,
  findMissing,
  isDatabaseUnavailable,
  readAvailability,
  recallAvailability,
  toPageError,
  whileAvailable,
} from "./availability";

let database: TemporaryDatabase;
let platform: Foundation;

beforeAll(async () => {
  database = await startTemporaryDatabase("asked");
  const variables = { DATABASE_URL: `${database.server}/asked`, PLATFORM_MASTER_KEYS: newMasterKey("k1") };
  platform = createFoundation(readEnvironment({ ...variables, PLATFORM_LOG_LEVEL: "silent" }), "test");
}, 120_000);

afterAll(async () => {
  await platform.pool.end();
  await database.stop();
});

const fails = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const soon = { timeout: 20_000 };

// Guarantee: overload is not taken for an outage.
test("a process whose connections are all busy still knows that the database answers", async () => {
  const clients = await Promise.all(Array.from({ length: 10 }, () => platform.pool.connect()));
  expect(await findMissing(platform)).toEqual([]);
  for (const client of clients) client.release();
});

test("a process that computed for seconds doesn't take its own delay for an outage", async () => {
  const looking = findMissing(platform);
  const until = performance.now() + 3_500;
  while (performance.now() < until);
  expect(await looking).toEqual([]);
});

// Guarantee: nobody waits for a database that hangs, and who sent a change learns that it may still take effect.
test("work that waits for a database that hangs ends with a problem that says so", async () => {
  expect(recallAvailability(platform)).toEqual({ away: [] });
  await platform.pool.query("select 1");
  const thaw = await database.freeze();
  try {
    const error = await fails(whileAvailable(platform, platform.pool.query("select 1")));
    expect(isDatabaseUnavailable(error)).toBe(true);
    const problem = databaseProblem(error);
    expect(problem).toMatchObject({ code: "DATABASE_UNAVAILABLE", status: 503, retryAfterSeconds: 2 });
    expect(problem.detail).toContain("may still take effect");
    expect(databaseProblem().detail).toContain("Nothing is wrong with your request");
    expect(toPageError(error)).toMatchObject({ digest: DATABASE_AWAY });
    const { away } = await readAvailability(platform);
    expect(away).toEqual([{ part: "database", since: expect.stringMatching(/Z$/) }]);
    expect(recallAvailability(platform)).toEqual({ away });
  } finally {
    thaw();
  }
  await expect.poll(() => readAvailability(platform), soon).toEqual({ away: [] });
  expect((await whileAvailable(platform, platform.pool.query("select 1"))).rowCount).toBe(1);
});

// Guarantee: the pages know what a handler's bundle, which has classes of its own, says of the database that both share.
test("an error of another bundle is recognized, and stays itself", () => {
  const error = Object.assign(new Error("The database does not answer."), { digest: DATABASE_AWAY });
  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(toPageError(error)).toBe(error);
});

test(
  "an error of anything else keeps its own digest, and slow work is waited for",
  { timeout: 20_000 },
  async () => {
    expect(toPageError(new Error("a bug"))).not.toHaveProperty("digest");
    const slow = platform.pool.query<{ done: number }>("select 1 as done from pg_sleep(4)");
    expect((await whileAvailable(platform, slow)).rows).toEqual([{ done: 1 }]);
  },
);
