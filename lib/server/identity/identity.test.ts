import { expect, test } from "vitest";
import { testPlatform } from "@/tests/test-platform";
import { verifyAudit } from "../audit/verify-audit";
import { readActor } from "./read-actor";
import { signIn, signOut } from "./sign-in";
import { signUp } from "./sign-up";

const platform = await testPlatform();
let people = 0;

function person() {
  people += 1;
  return {
    name: "Ada",
    email: `ada${people}@acme.example`,
    password: "a long password",
    organizationName: "Acme",
    organizationSlug: `acme-${people}`,
  };
}

// Guarantee: who signs up owns the new organization, and the mutation has its audit row.
test("signing up makes an organization with its owner", async () => {
  const input = person();
  const { organizationId } = await signUp(platform, input);
  const { sessionId } = await signIn(platform, input);
  expect(await readActor(platform, sessionId)).toMatchObject({
    email: input.email,
    moderator: false,
    organization: { slug: input.organizationSlug, role: "owner" },
  });
  expect(await verifyAudit(platform, organizationId)).toEqual({ intact: true, rows: 1 });
});

// Guarantee: a name in use is refused at its field, and nothing half done is left.
test("a taken slug or address is refused and leaves nothing", async () => {
  const first = person();
  await signUp(platform, first);
  const sameSlug = { ...person(), organizationSlug: first.organizationSlug };
  const sameEmail = { ...person(), email: first.email };
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

// Guarantee: a wrong password and an unknown address are one refusal.
test("wrong credentials do not tell which part is wrong", async () => {
  const input = person();
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

// Guarantee: a session is dead on the next request after sign-out, expiry, or the loss of the role.
test("a cookie after sign-out, after expiry or after the role is gone is worth nothing", async () => {
  const input = person();
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

// Guarantee: passwords cannot be guessed without end.
test("after ten wrong passwords an address has to wait", async () => {
  const input = person();
  await signUp(platform, input);
  for (let guess = 0; guess < 10; guess += 1)
    await signIn(platform, { ...input, password: `guess ${guess}` }).catch(() => undefined);
  await expect(signIn(platform, input)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
});
