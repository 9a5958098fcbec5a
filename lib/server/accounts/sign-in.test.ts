import { expect, test } from "vitest";
import { givenClient } from "@/tests/clients";
import { testPlatform } from "@/tests/test-platform";
import { verifyAudit } from "../platform/verify-audit";
import { endOtherSessions, endSession, listSessions, readActor, signOut } from "./sessions";
import { signIn } from "./sign-in";
import { signUp } from "./sign-up";

const platform = await testPlatform();
const CLIENT = givenClient();
let users = 0;

function newUser() {
  users += 1;
  return {
    name: "Ada",
    email: `ada${users}@acme.example`,
    password: "a long password",
    organizationName: "Acme",
    organizationSlug: `acme-${users}`,
  };
}

// Guarantee: the user who signs up owns the new organization, and an audit row records it.
test("signing up creates an organization with its owner", async () => {
  const input = newUser();
  const { organizationId } = await signUp(platform, input);
  const { sessionId } = await signIn(platform, input, CLIENT);
  expect(await readActor(platform, sessionId)).toMatchObject({
    email: input.email,
    moderator: false,
    organization: { slug: input.organizationSlug, role: "owner" },
  });
  expect(await verifyAudit(platform, organizationId)).toEqual({ intact: true, rows: 1 });
});

// Guarantee: a taken name is an issue at its field, and nothing is half stored.
test("a taken slug or email address is refused, and nothing is stored", async () => {
  const first = newUser();
  await signUp(platform, first);
  const sameSlug = { ...newUser(), organizationSlug: first.organizationSlug };
  const sameEmail = { ...newUser(), email: first.email };
  await expect(signUp(platform, sameSlug)).rejects.toMatchObject({
    code: "NAME_TAKEN",
    issues: [{ pointer: "/organizationSlug" }],
  });
  await expect(signUp(platform, sameEmail)).rejects.toMatchObject({
    code: "NAME_TAKEN",
    issues: [{ pointer: "/email" }],
  });
  const { rows } = await platform.pool.query("select count(*)::int as n from organizations");
  expect(rows).toEqual([{ n: 1 }]);
});

// Guarantee: a wrong password and an unknown email address get the same error.
test("the error does not reveal which part of the credentials is wrong", async () => {
  const input = newUser();
  await signUp(platform, input);
  const wrong = await signIn(platform, { ...input, password: "not this one" }, CLIENT).catch(
    (error: unknown) => JSON.stringify(error),
  );
  const unknown = await signIn(platform, { ...input, email: "nobody@acme.example" }, CLIENT).catch(
    (error: unknown) => JSON.stringify(error),
  );
  expect(wrong).toContain("WRONG_CREDENTIALS");
  expect(wrong).toBe(unknown);
});

// Guarantee: a session ends on the next request after sign-out, expiry, or loss of the role.
test("a cookie is worthless after sign-out, expiry, or loss of the role", async () => {
  const input = newUser();
  const { userId } = await signUp(platform, input);
  const { sessionId } = await signIn(platform, input, CLIENT);
  await signOut(platform, sessionId);
  expect(await readActor(platform, sessionId)).toBeUndefined();

  const second = await signIn(platform, input, CLIENT);
  await platform.pool.query("delete from memberships where user_id = $1", [userId]);
  expect((await readActor(platform, second.sessionId))?.organization).toBeUndefined();
  await platform.pool.query("update sessions set expires_at = now() - interval '1 second'");
  expect(await readActor(platform, second.sessionId)).toBeUndefined();
  expect(await readActor(platform, "' or true --")).toBeUndefined();
});

// Guarantee: a user sees only the sessions of the account, and ending one takes effect immediately.
test("a user sees and ends sessions of the account, and of no other", async () => {
  const [ada, eve] = [newUser(), newUser()];
  await signUp(platform, ada);
  await signUp(platform, eve);
  const sessionIds = [];
  for (const network of ["198.51.100.1", "198.51.100.2", "198.51.100.3"])
    sessionIds.push((await signIn(platform, ada, givenClient(network))).sessionId);
  const [first = "", second = "", third = ""] = sessionIds;
  const actor = await readActor(platform, first);
  const other = await readActor(platform, (await signIn(platform, eve, CLIENT)).sessionId);
  if (actor === undefined || other === undefined) throw new Error("not signed in");
  expect((await listSessions(platform, actor)).sessions).toEqual([
    expect.objectContaining({
      id: first,
      current: true,
      device: "Firefox on Linux",
      network: "198.51.100.1",
    }),
    expect.objectContaining({ id: third, current: false }),
    expect.objectContaining({ id: second, current: false }),
  ]);
  await expect(endSession(platform, other, second)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await endSession(platform, actor, second);
  expect(await readActor(platform, second)).toBeUndefined();
  await expect(endSession(platform, actor, second)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await endOtherSessions(platform, actor);
  expect(await readActor(platform, third)).toBeUndefined();
  expect(await readActor(platform, first)).toBeDefined();
  expect(await readActor(platform, other.sessionId)).toBeDefined();
});

// Guarantee: however many sessions a person has, each can be seen and ended, and none twice.
test("many sessions come in pages, the browser's own first", async () => {
  const input = newUser();
  await signUp(platform, input);
  const { sessionId, userId } = await signIn(platform, input, CLIENT);
  await platform.pool.query(
    `insert into sessions (id, user_id, expires_at, last_seen_at)
     select (lpad(to_hex(1700000000000 + n), 12, '0') || '70008000000000000000')::uuid, $1, now() + interval '1 hour', now()
       from generate_series(1, 70) n`,
    [userId],
  );
  const actor = await readActor(platform, sessionId);
  if (actor === undefined) throw new Error("not signed in");
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const { sessions, next } = await listSessions(platform, actor, after);
    seen.push(...sessions.map(({ id }) => id));
    after = next;
    // Sessions are used while their list is read.
    await platform.pool.query("update sessions set last_seen_at = now()");
  } while (after !== undefined);
  expect(seen[0]).toBe(sessionId);
  expect(seen).toHaveLength(71);
  expect(new Set(seen).size).toBe(71);
});

test("a session was last seen when it was last used", async () => {
  const input = newUser();
  await signUp(platform, input);
  const { sessionId } = await signIn(platform, input, CLIENT);
  await platform.pool.query("update sessions set last_seen_at = now() - interval '1 hour'");
  const actor = await readActor(platform, sessionId);
  if (actor === undefined) throw new Error("not signed in");
  const [session] = (await listSessions(platform, actor)).sessions;
  expect(Date.now() - Date.parse(session?.lastSeenAt ?? "")).toBeLessThan(60_000);
});
