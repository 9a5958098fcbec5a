import { expect, test } from "vitest";
import { memberships, users } from "@/drizzle/schema/accounts";
import type { Actor } from "@/lib/domain/platform/actor";
import { givenMember, one, testPlatform } from "@/tests/test-platform";
import { openMail } from "../platform/notifications/render-mail";
import { acceptInvitation, readInvitation } from "./join-organization";
import { createInvitation, listInvitations, renewInvitation, revokeInvitation } from "./manage-invitations";
import { confirmSignUp, signUpInvited } from "./request-sign-up";
import { readActor } from "./sessions";

const platform = await testPlatform();
const HERE = { network: "203.0.113.7" };
const DEAD = { code: "NOT_FOUND", detail: expect.stringContaining("is no longer valid") };
const PERSON = { name: "Noor Adler", email: "noor@harbor.example", password: "correct horse battery" };

const tokenOf = ({ url }: { url: string }) => url.split("/").at(-1) ?? "";
const accept = (actor: Actor, token: string, client = HERE) =>
  acceptInvitation(platform, actor, token, client);
const outcomes = (tried: PromiseSettledResult<unknown>[]) => tried.map(({ status }) => status).sort();

async function givenInvitation(email = "") {
  const owner = await givenMember(platform);
  const invitation = await createInvitation(platform, owner, { role: "publisher", email });
  return { owner, invitation, token: tokenOf(invitation) };
}

// Guarantee: a stolen dump contains no invitation that works.
test("the link is shown once: rows, lists and the audit trail contain only its hash", async () => {
  const { owner, token, invitation } = await givenInvitation();
  expect(invitation.url).toMatch(/\/invitations\/[\w-]{43}$/);
  const stored = await platform.pool.query(
    "select to_jsonb(i)::text as row from invitations i union all select to_jsonb(a)::text from audit a union all select to_jsonb(m)::text from mails m",
  );
  expect(stored.rows.length).toBeGreaterThan(1);
  expect(JSON.stringify([stored.rows, await listInvitations(platform, owner)])).not.toContain(token);
});

test("accepting makes the person a member with the chosen role who works there, and notifies the inviter", async () => {
  const { owner, token } = await givenInvitation();
  expect(await readInvitation(platform, token, HERE)).toMatchObject({
    organizationName: "acme",
    role: "publisher",
    invitedBy: owner.name,
    email: null,
  });
  const person = await givenMember(platform, "harbor");
  await accept(person, token);
  expect((await readActor(platform, person.sessionId))?.organization).toMatchObject({
    slug: "acme",
    role: "publisher",
  });
  const { rows } = await platform.pool.query("select user_id, title from notifications");
  expect(rows).toEqual([{ user_id: owner.userId, title: "owner of harbor joined acme as a publisher" }]);
  const { rows: audit } = await platform.pool.query("select action, actor from audit order by position");
  expect(audit).toEqual([
    { action: "invitation.create", actor: `user:${owner.userId}` },
    { action: "invitation.accept", actor: `user:${person.userId}` },
  ]);
});

// Guarantee: an invitation works once, even if it is used concurrently.
test("of two who accept at the same time, one gets in", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { token } = await givenInvitation();
    const people = [await givenMember(platform, "harbor"), await givenMember(platform, "tidewater")];
    const tried = await Promise.allSettled(people.map((person) => accept(person, token)));
    expect(outcomes(tried)).toEqual(["fulfilled", "rejected"]);
    expect(tried.find(({ status }) => status === "rejected")).toMatchObject({ reason: DEAD });
  }
});

test("accepting twice at the same time creates one membership", async () => {
  const { token } = await givenInvitation();
  const person = await givenMember(platform, "harbor");
  expect(outcomes(await Promise.allSettled([accept(person, token), accept(person, token)]))).toEqual([
    "fulfilled",
    "rejected",
  ]);
  expect(await platform.db.$count(memberships)).toBe(3);
});

// Guarantee: a stranger learns nothing from an invalid link.
test("used, expired, revoked, renewed and unknown links look the same", async () => {
  const { owner, token: used } = await givenInvitation();
  await accept(await givenMember(platform, "harbor"), used);
  const create = () => createInvitation(platform, owner, { role: "operator", email: "" });
  const [expired, revoked, renewed] = [await create(), await create(), await create()];
  await platform.pool.query("update invitations set expires_at = now() where id = $1", [expired.id]);
  await revokeInvitation(platform, owner, revoked.id);
  const fresh = await renewInvitation(platform, owner, renewed.id);
  const person = await givenMember(platform, "tidewater");
  const refusals = [];
  for (const token of [used, tokenOf(expired), tokenOf(revoked), tokenOf(renewed), "A".repeat(43), "x", "\0"])
    for (const attempt of [
      () => readInvitation(platform, token, HERE),
      () => accept(person, token),
      () => signUpInvited(platform, token, PERSON, HERE),
    ])
      refusals.push(await attempt().catch((error: unknown) => error));
  for (const refusal of refusals) expect(refusal).toMatchObject(DEAD);
  expect(new Set(refusals.map(String)).size).toBe(1);
  await accept(person, tokenOf(fresh));
});

test("revoked between looking and accepting, it lets nobody in", async () => {
  const { owner, invitation, token } = await givenInvitation();
  const person = await givenMember(platform, "harbor");
  await readInvitation(platform, token, HERE);
  const [, accepted] = await Promise.allSettled([
    revokeInvitation(platform, owner, invitation.id),
    accept(person, token).then(() => "in"),
  ]);
  const members = await platform.db.$count(memberships);
  expect(members).toBe(accepted.status === "fulfilled" ? 3 : 2);
  await expect(accept(await givenMember(platform, "tidewater"), token)).rejects.toMatchObject(DEAD);
});

test("an invitation for an address is for that account alone, and survives the wrong one", async () => {
  const right = await givenMember(platform, "harbor");
  const { token } = await givenInvitation(right.email);
  const wrong = await givenMember(platform, "tidewater");
  await expect(accept(wrong, token)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  await expect(signUpInvited(platform, token, PERSON, HERE)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  await accept(right, token);
});

test("a member who opens the link does not use it up", async () => {
  const { owner, token } = await givenInvitation();
  await expect(accept(owner, token)).rejects.toMatchObject({ code: "WRONG_STATE" });
  await accept(await givenMember(platform, "harbor"), token);
});

test("inviting an address again ends its earlier link, and a member's address is refused", async () => {
  const { owner, token } = await givenInvitation("noor@harbor.example");
  const again = await createInvitation(platform, owner, { role: "owner", email: "noor@harbor.example" });
  await expect(readInvitation(platform, token, HERE)).rejects.toMatchObject(DEAD);
  await expect(readInvitation(platform, tokenOf(again), HERE)).resolves.toMatchObject({ role: "owner" });
  expect((await listInvitations(platform, owner)).invitations).toHaveLength(1);
  await expect(
    createInvitation(platform, owner, { role: "owner", email: owner.email }),
  ).rejects.toMatchObject({ code: "WRONG_STATE" });
});

test("only its own organization renews and revokes an invitation", async () => {
  const { invitation } = await givenInvitation();
  const stranger = await givenMember(platform, "harbor");
  await expect(renewInvitation(platform, stranger, invitation.id)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(revokeInvitation(platform, stranger, invitation.id)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

// Guarantee: guesses are limited, for one network, and good links don't count.
test("after 30 wrong links in an hour a network has to wait, and others don't", async () => {
  const { token } = await givenInvitation();
  const from = { network: "198.51.100.9" };
  for (let time = 0; time < 40; time += 1) await readInvitation(platform, token, from);
  for (let time = 0; time < 30; time += 1)
    await expect(readInvitation(platform, `${time}`.padEnd(43, "A"), from)).rejects.toMatchObject(DEAD);
  await expect(readInvitation(platform, token, from)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  await expect(readInvitation(platform, token, { network: "198.51.100.10" })).resolves.toBeDefined();
});

// Guarantee: signing up by invitation creates no organization.
test("a person without an account signs up into the organization", async () => {
  const { token } = await givenInvitation("noor@harbor.example");
  expect(await signUpInvited(platform, token, PERSON, HERE)).toEqual({ outcome: "DONE" });
  const user = one((await platform.db.select().from(users)).filter(({ email }) => email === PERSON.email));
  expect(user.emailConfirmedAt).toBeNull();
  const { rows } = await platform.pool.query(
    "select o.slug, m.role from memberships m join organizations o on o.id = m.organization_id where m.user_id = $1",
    [user.id],
  );
  expect(rows).toEqual([{ slug: "acme", role: "publisher" }]);
  expect((await platform.pool.query("select 1 from organizations")).rowCount).toBe(1);
});

test("of two sign-ups with one link, one gets in, and the other leaves no account behind", async () => {
  const { token } = await givenInvitation();
  const signUps = ["a", "b"].map((name) =>
    signUpInvited(platform, token, { ...PERSON, email: `${name}@harbor.example` }, HERE),
  );
  expect(outcomes(await Promise.allSettled(signUps))).toEqual(["fulfilled", "rejected"]);
  expect(await platform.db.$count(users)).toBe(2);
});

// Guarantee: with email, an address counts once its owner confirmed it, and the response doesn't reveal whether it has
// an account.
test("where the platform sends mail, the address is confirmed first", async () => {
  const environment = { ...platform.environment, PLATFORM_SMTP_URL: "smtp://localhost:1" };
  const mailing = { ...platform, environment };
  const owner = await givenMember(platform);
  const invitation = await createInvitation(mailing, owner, { role: "operator", email: PERSON.email });
  expect(invitation.mailed).toBe(true);
  const [first] = await readMails();
  expect(first?.text).toContain(invitation.url);
  expect(await signUpInvited(mailing, tokenOf(invitation), PERSON, HERE)).toEqual({ outcome: "MAILED" });
  expect(await platform.db.$count(users)).toBe(1);
  const confirmation = (await readMails()).at(-1);
  const token = /#([\w-]{43})/.exec(confirmation?.text ?? "")?.[1] ?? "";
  const client = { ...HERE, userAgent: "", devices: new Map<string, string>() };
  await confirmSignUp(mailing, { token, password: PERSON.password }, client);
  const user = one((await platform.db.select().from(users)).filter(({ email }) => email === PERSON.email));
  expect(user.emailConfirmedAt).not.toBeNull();
  expect(await platform.db.$count(memberships)).toBe(2);
  const known = await createInvitation(mailing, owner, { role: "operator", email: "" });
  expect(await signUpInvited(mailing, tokenOf(known), { ...PERSON, email: owner.email }, HERE)).toEqual({
    outcome: "MAILED",
  });
});

async function readMails() {
  const { rows } = await platform.pool.query<{ id: string; sealed: string; key: string }>(
    "select id, sealed, master_key_id as key from mails where sealed is not null order by id",
  );
  return rows.map(({ id, sealed, key }) => openMail(platform.keyring, id, { sealed, masterKeyId: key }));
}

// Guarantee: an owner reaches every invitation, so that each can be revoked.
test("invitations come in pages, each once", async () => {
  const owner = await givenMember(platform);
  await platform.pool.query(
    `insert into invitations (id, organization_id, role, email, token_hash, invited_by, expires_at)
     select uuidv7(make_interval(secs => -n)), $1, 'operator', 'p' || n || '@acme.example', 'hash-' || n, $2, now()
       from generate_series(1, 230) n`,
    [owner.organization.id, owner.userId],
  );
  const seen = new Set<string>();
  let after: string | undefined;
  do {
    const page = await listInvitations(platform, owner, after);
    for (const { id } of page.invitations) seen.add(id);
    expect(page.total).toBe(230);
    after = page.next;
  } while (after !== undefined);
  expect(seen.size).toBe(230);
});
