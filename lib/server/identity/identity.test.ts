import { expect, test } from "vitest";
import { testPlatform } from "@/tests/test-platform";
import { verifyAudit } from "../audit/verify-audit";
import { readActor, signIn, signOut } from "./sign-in";
import { signUp } from "./sign-up";

const platform = await testPlatform();
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
  const { sessionId } = await signIn(platform, input);
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
  const wrong = await signIn(platform, { ...input, password: "not this one" }).catch((error: unknown) =>
    JSON.stringify(error),
  );
  const unknown = await signIn(platform, { ...input, email: "nobody@acme.example" }).catch((error: unknown) =>
    JSON.stringify(error),
  );
  expect(wrong).toContain("WRONG_CREDENTIALS");
  expect(wrong).toBe(unknown);
});

// Guarantee: a session ends on the next request after sign-out, expiry, or loss of the role.
test("a cookie is worthless after sign-out, expiry, or loss of the role", async () => {
  const input = newUser();
  const { userId } = await signUp(platform, input);
  const { sessionId } = await signIn(platform, input);
  await signOut(platform, sessionId);
  expect(await readActor(platform, sessionId)).toBeUndefined();

  const second = await signIn(platform, input);
  await platform.pool.query("delete from memberships where user_id = $1", [userId]);
  expect((await readActor(platform, second.sessionId))?.organization).toBeUndefined();
  await platform.pool.query("update sessions set expires_at = now() - interval '1 second'");
  expect(await readActor(platform, second.sessionId)).toBeUndefined();
  expect(await readActor(platform, "' or true --")).toBeUndefined();
});

// Guarantee: passwords cannot be guessed without limit.
test("after ten wrong passwords, an email address is blocked for a while", async () => {
  const input = newUser();
  await signUp(platform, input);
  for (let guess = 0; guess < 10; guess += 1)
    await signIn(platform, { ...input, password: `guess ${guess}` }).catch(() => undefined);
  await expect(signIn(platform, input)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
});
