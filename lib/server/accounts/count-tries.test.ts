/** The attacks that the limits are for, as they were measured. The owner notices none of them. */
import { beforeEach, expect, test } from "vitest";
import { Problem } from "@/lib/contract/platform/problem";
import { givenClient } from "@/tests/clients";
import { anotherProcess, testPlatform } from "@/tests/test-platform";
import { connectDatabase } from "../platform/database/connect";
import { hashPassword } from "./password";
import { requestSignUp } from "./request-sign-up";
import { signIn } from "./sign-in";
import { signUp } from "./sign-up";

const platform = await testPlatform();
/** Another process with the same database. */
const other = anotherProcess(
  platform,
  connectDatabase(platform.environment.DATABASE_URL, () => {}),
);

const ADA = {
  name: "Ada",
  email: "ada@acme.example",
  password: "tidal lantern orbit",
  organizationName: "Acme",
  organizationSlug: "acme",
};
let userId: string;
beforeEach(async () => {
  ({ userId } = await signUp(platform, ADA));
});

async function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  );
}

async function count(works: Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const result of await Promise.all(works.map(outcome))) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}

const guess = (at: number, network: string, on = platform, email = ADA.email) =>
  signIn(on, { email, password: `guess ${at}` }, givenClient(network));

// Each test has networks of its own, because a process remembers a flood for as long as its limit lasts.

// Guarantee: parallel guesses are counted before they are checked, in all processes together.
test("of 60 guesses at the same time in two processes, 10 are checked", async () => {
  const guesses = Array.from({ length: 60 }, (_, at) =>
    guess(at, "192.0.2.1", at % 2 === 0 ? platform : other),
  );
  expect(await count(guesses)).toEqual({ WRONG_CREDENTIALS: 10, TOO_MANY_REQUESTS: 50 });
});

// Guarantee: guessing from one network, or from many, does not keep the owner out.
test("ten wrong passwords from a network don't lock the owner out elsewhere", async () => {
  for (let at = 0; at < 11; at += 1) await outcome(guess(at, "192.0.2.2"));
  expect(await outcome(signIn(platform, ADA, givenClient("192.0.2.2")))).toBe("TOO_MANY_REQUESTS");
  expect(await outcome(signIn(platform, ADA, givenClient("192.0.2.3")))).toBe("ok");
});

test("a browser that signed in before passes when guesses from many networks used up the account's limit", async () => {
  for (let network = 0; network < 11; network += 1)
    await Promise.all(Array.from({ length: 10 }, (_, at) => outcome(guess(at, `198.18.${network}.1`))));
  const elsewhere = givenClient("198.51.100.7");
  expect(await outcome(signIn(platform, ADA, elsewhere))).toBe("TOO_MANY_REQUESTS");
  expect(await outcome(signIn(platform, ADA, givenClient("198.51.100.7", { [userId]: "laptop" })))).toBe(
    "ok",
  );
  // It is known only for this account.
  expect(await outcome(signIn(platform, ADA, givenClient("198.51.100.7", { other: "laptop" })))).toBe(
    "TOO_MANY_REQUESTS",
  );
});

test("a known browser is no way to guess without limit", async () => {
  const stolen = givenClient("192.0.2.4", { [userId]: "stolen" });
  const guesses = Array.from({ length: 20 }, (_, at) =>
    signIn(platform, { email: ADA.email, password: `guess ${at}` }, stolen),
  );
  expect(await count(guesses)).toEqual({ WRONG_CREDENTIALS: 10, TOO_MANY_REQUESTS: 10 });
});

// Guarantee: one password for many addresses meets a limit, whether the addresses have accounts or not.
test("of 60 sprayed addresses, 30 are checked", async () => {
  const guesses = Array.from({ length: 60 }, (_, at) =>
    guess(0, "192.0.2.5", platform, `user${at}@acme.example`),
  );
  expect(await count(guesses)).toEqual({ WRONG_CREDENTIALS: 30, TOO_MANY_REQUESTS: 30 });
  expect(await outcome(signIn(platform, ADA, givenClient("192.0.2.5", { [userId]: "desk" })))).toBe("ok");
});

test("sign-ins that work use nothing up", async () => {
  for (let at = 0; at < 35; at += 1)
    expect(await outcome(signIn(platform, ADA, givenClient("192.0.2.6")))).toBe("ok");
});

test("of 40 sign-ups from a network, 30 are accepted", async () => {
  const signUps = Array.from({ length: 40 }, (_, at) =>
    requestSignUp(
      platform,
      { ...ADA, email: `new${at}@acme.example`, organizationSlug: `acme-${at}` },
      givenClient("192.0.2.7"),
    ),
  );
  expect(await count(signUps)).toEqual({ ok: 30, TOO_MANY_REQUESTS: 10 });
});

// Guarantee: a refusal says when to try again, and the table reveals no identities.
test("a refusal says when to try again", async () => {
  const began = Date.now();
  for (let at = 0; at < 10; at += 1) await outcome(guess(at, "192.0.2.8"));
  const refusal: unknown = await guess(11, "192.0.2.8").catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: "TOO_MANY_REQUESTS",
    detail: "Too many attempts. Try again in 15 minutes.",
  });
  // The 15 minutes began with the first guess, and whole seconds are rounded up: never too early.
  const since = Math.floor((Date.now() - began) / 1000);
  const wait = refusal instanceof Problem ? refusal.retryAfterSeconds : undefined;
  expect(wait).toBeLessThanOrEqual(900);
  expect(wait).toBeGreaterThanOrEqual(900 - since - 1);
  const { rows } = await platform.pool.query<{ key: string }>("select key from rate_limits");
  expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2|acme/);
});

// Guarantee: a flood of sign-ins from one network does not make another network wait for it.
test("a network's flood of hashes leaves a place for others", async () => {
  const flood = Array.from({ length: 33 }, () => hashPassword("flood", "192.0.2.9"));
  const tooMany = outcome(hashPassword("one too many", "192.0.2.9"));
  let done = 0;
  for (const one of flood) void one.then(() => (done += 1));
  await hashPassword("a neighbor's password", "192.0.2.10");
  // In one queue for everybody, all of the flood would be done.
  expect(done).toBeLessThan(flood.length / 2);
  expect(await tooMany).toBe("OVERLOADED");
  await Promise.all(flood);
});
