import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { memberships, organizations } from "@/drizzle/schema/accounts";
import { ROLES } from "@/lib/contract/platform/role";
import type { Member } from "@/lib/domain/platform/actor";
import { givenListing, givenMember, givenTenant, one, testPlatform } from "@/tests/test-platform";
import { createApiKey } from "./credentials/manage-api-keys";
import { hashInvitation } from "./join-organization";
import { createInvitation } from "./manage-invitations";
import { selectOffer } from "./member-queries";
import { changeRole, exportMembers, leaveOrganization, listMembers, removeMember } from "./members";
import { createOrganization, findElsewhere, listOwnOrganizations, switchOrganization } from "./organization";
import { readActor } from "./sessions";

const platform = await testPlatform();
const KEEP = { revokeApiKeys: false };
const LAST = { code: "WRONG_STATE", detail: expect.stringContaining("last owner") };

const roles = async () =>
  (await platform.db.select({ role: memberships.role }).from(memberships)).map(({ role }) => role);
const audited = async () =>
  (await platform.pool.query<{ action: string }>("select action from audit order by position")).rows.map(
    ({ action }) => action,
  );
const outcomes = (tried: PromiseSettledResult<unknown>[]) => tried.map(({ status }) => status).sort();

async function join(member: Member, other: Member): Promise<void> {
  const row = { organizationId: other.organization.id, userId: member.userId, role: "publisher" as const };
  await platform.db.insert(memberships).values(row);
}

test("the last owner can't leave, be removed or be demoted, and nothing is recorded", async () => {
  const owner = await givenMember(platform);
  await givenMember(platform, "acme", "publisher");
  await expect(leaveOrganization(platform, owner)).rejects.toMatchObject(LAST);
  await expect(removeMember(platform, owner, owner.userId, KEEP)).rejects.toMatchObject(LAST);
  await expect(changeRole(platform, owner, owner.userId, "operator")).rejects.toMatchObject(LAST);
  expect(await roles()).toEqual(["owner", "publisher"]);
  expect(await audited()).toEqual([]);
});

// Guarantee: an organization always has an owner, even if its owners leave, remove and demote each other at the same moment.
test.each([
  ["leave", (one: Member) => leaveOrganization(platform, one)],
  ["remove each other", (one: Member, other: Member) => removeMember(platform, one, other.userId, KEEP)],
  ["demote each other", (one: Member, other: Member) => changeRole(platform, one, other.userId, "operator")],
  ["demote themselves", (one: Member) => changeRole(platform, one, one.userId, "publisher")],
])("of two owners who %s at once, one stays owner", async (_what, act) => {
  for (let round = 0; round < 10; round += 1) {
    const slug = `acme${String.fromCharCode(97 + round)}`;
    const [first, second] = [await givenMember(platform, slug), await givenMember(platform, slug)];
    expect(outcomes(await Promise.allSettled([act(first, second), act(second, first)]))).toEqual([
      "fulfilled",
      "rejected",
    ]);
    const { rows } = await platform.pool.query<{ owners: number }>(
      "select count(*)::int as owners from memberships where organization_id = $1 and role = 'owner'",
      [first.organization.id],
    );
    expect(rows).toEqual([{ owners: 1 }]);
  }
});

// Guarantee: a removed member loses access to the organization at the next request, and keeps the others.
test("a removed member's sessions move to another organization, or to none", async () => {
  const owner = await givenMember(platform);
  const member = await givenMember(platform, "acme", "operator");
  const harbor = await givenMember(platform, "harbor");
  await join(member, harbor);
  await removeMember(platform, owner, member.userId, KEEP);
  expect((await readActor(platform, member.sessionId))?.organization?.slug).toBe("harbor");
  await removeMember(platform, harbor, member.userId, KEEP);
  const actor = await readActor(platform, member.sessionId);
  expect(actor).toMatchObject({ userId: member.userId });
  expect(actor?.organization).toBeUndefined();
  const { rows } = await platform.pool.query("select title from notifications order by created_at");
  expect(rows).toEqual([{ title: "You were removed from acme" }, { title: "You were removed from harbor" }]);
});

test("a changed role applies at the next request, and the person is notified", async () => {
  const owner = await givenMember(platform);
  const member = await givenMember(platform, "acme", "operator");
  await changeRole(platform, owner, member.userId, "publisher");
  await changeRole(platform, owner, member.userId, "publisher");
  expect((await readActor(platform, member.sessionId))?.organization?.role).toBe("publisher");
  expect(await audited()).toEqual(["member.change-role"]);
  const { rows } = await platform.pool.query("select user_id, title from notifications");
  expect(rows).toEqual([{ user_id: member.userId, title: "You are now a publisher of acme" }]);
});

// Guarantee: keys belong to the organization. CI doesn't stop because a person leaves, unless an owner decides so.
test("a removed member's API keys keep working, unless the owner revokes them too", async () => {
  const owner = await givenMember(platform);
  const [first, second] = [
    await givenMember(platform, "acme", "publisher"),
    await givenMember(platform, "acme", "publisher"),
  ];
  await createApiKey(platform, first, "First");
  await createApiKey(platform, second, "Second");
  await removeMember(platform, owner, first.userId, KEEP);
  await removeMember(platform, owner, second.userId, { revokeApiKeys: true });
  const { rows } = await platform.pool.query(
    "select name, revoked_at is not null as revoked from api_keys order by name",
  );
  expect(rows).toEqual([
    { name: "First", revoked: false },
    { name: "Second", revoked: true },
  ]);
});

// Guarantee: nobody comes back through a link that they made themselves.
test("invitations of an owner end when the owner is demoted, removed or leaves", async () => {
  const owner = await givenMember(platform);
  for (const end of [
    (other: Member) => changeRole(platform, owner, other.userId, "operator"),
    (other: Member) => removeMember(platform, owner, other.userId, KEEP),
    (other: Member) => leaveOrganization(platform, other),
  ]) {
    const other = await givenMember(platform);
    const { url } = await createInvitation(platform, other, { role: "owner", email: "" });
    const hash = hashInvitation(url.split("/").at(-1) ?? "");
    expect(await selectOffer(platform.db, hash)).toBeDefined();
    await end(other);
    expect(await selectOffer(platform.db, hash)).toBeUndefined();
  }
});

test("strangers and members of others are not found", async () => {
  const [owner, stranger] = [await givenMember(platform), await givenMember(platform, "harbor")];
  for (const act of [
    () => changeRole(platform, owner, stranger.userId, "operator"),
    () => removeMember(platform, owner, stranger.userId, KEEP),
    () => removeMember(platform, owner, crypto.randomUUID(), KEEP),
  ])
    await expect(act()).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("the list has roles, when each was last seen there, and how many keys each created", async () => {
  const owner = await givenMember(platform);
  const member = await givenMember(platform, "acme", "operator");
  await givenMember(platform, "harbor");
  await createApiKey(platform, owner, "CI");
  const { members, owners } = await listMembers(platform, owner);
  expect(owners).toBe(1);
  expect(members).toMatchObject([
    { userId: owner.userId, role: "owner", apiKeys: 1, lastSeenAt: expect.any(Date) },
    { userId: member.userId, role: "operator", apiKeys: 0 },
  ]);
  expect((await listMembers(platform, owner, { search: "operator of" })).members).toHaveLength(1);
});

// Guarantee: each order of the URL is that of all pages, there and back.
test.each(["joined", "name", "role", "seen"] as const)(
  "pages of members by %s, and as a file",
  async (sort) => {
    const owner = await givenMember(platform, "acme");
    await platform.pool.query(
      `with people as (
       insert into users (id, name, email, password_hash)
       select gen_random_uuid(), (case when n % 2 = 0 then 'person ' else 'Person ' end) || n, n || '@acme.example', password_hash
         from users, generate_series(1, 44) n where users.id = $1 returning id, email),
     joined as (
       insert into memberships (organization_id, user_id, role, created_at)
       select $2, id, (array['owner', 'publisher', 'operator'])[1 + left(email, 1)::int % 3]::role,
              now() + make_interval(secs => left(email, 1)::int) from people)
     insert into sessions (user_id, organization_id, last_seen_at, expires_at, id)
     select id, $2, now() - make_interval(hours => left(email, 1)::int), now() + interval '1 day', gen_random_uuid()
       from people where email not like '2%'`,
      [owner.userId, owner.organization.id],
    );
    const read = (after?: string) => listMembers(platform, owner, { sort, after });
    const first = await read();
    const second = await read(first.next);
    const third = await read(second.next);
    const all = [first, second, third].flatMap(({ members }) => members);
    expect(new Set(all.map(({ userId }) => userId)).size).toBe(45);
    const ids = (page: typeof first) => page.members.map(({ userId }) => userId);
    expect(ids(await read(third.previous))).toEqual(ids(second));
    expect(ids(await read(second.previous))).toEqual(ids(first));
    const key = {
      joined: ({ joinedAt }: (typeof all)[number]) => joinedAt.getTime(),
      name: ({ name }: (typeof all)[number]) => name.toLowerCase(),
      role: ({ role }: (typeof all)[number]) => ROLES.indexOf(role),
      seen: ({ lastSeenAt }: (typeof all)[number]) => -(lastSeenAt?.getTime() ?? 0),
    }[sort];
    const keys = all.map<string | number>(key);
    expect(keys).toEqual(keys.toSorted((one, other) => (one === other ? 0 : one < other ? -1 : 1)));
    const file = JSON.parse(
      (await Readable.from(exportMembers(platform, owner, { sort }, "json")).toArray()).join(""),
    );
    expect(file.map(({ id }: { id: string }) => id)).toEqual(all.map(({ userId }) => userId));
    expect(Object.keys(file[0])).toEqual([
      "id",
      "name",
      "email",
      "role",
      "joinedAt",
      "lastSeenAt",
      "apiKeys",
    ]);
  },
);

test("the moderators' organization has no members to manage", async () => {
  const owner = await givenMember(platform);
  const organization = { ...owner.organization, moderation: true as const };
  await expect(leaveOrganization(platform, { ...owner, organization })).rejects.toMatchObject({
    code: "WRONG_STATE",
  });
});

test("a session switches only to an organization of its person", async () => {
  const member = await givenMember(platform);
  const harbor = await givenMember(platform, "harbor");
  const switchTo = () => switchOrganization(platform, member, harbor.organization.id);
  await expect(switchTo()).rejects.toMatchObject({ code: "NOT_FOUND" });
  await join(member, harbor);
  await switchTo();
  expect((await readActor(platform, member.sessionId))?.organization).toMatchObject({
    slug: "harbor",
    role: "publisher",
  });
  expect((await listOwnOrganizations(platform, member)).map(({ slug }) => slug)).toEqual(["acme", "harbor"]);
});

// Guarantee: a download belongs to the organization that its address names, with the role that its reader has there.
test("a session is read in another organization only for its members", async () => {
  const member = await givenMember(platform);
  const harbor = await givenMember(platform, "harbor");
  const readIn = async () =>
    (await readActor(platform, member.sessionId, harbor.organization.id))?.organization;
  expect(await readIn()).toBeUndefined();
  await join(member, harbor);
  expect(await readIn()).toMatchObject({ slug: "harbor", role: "publisher" });
  expect((await readActor(platform, member.sessionId))?.organization?.slug).toBe("acme");
  await removeMember(platform, harbor, member.userId, KEEP);
  expect(await readIn()).toBeUndefined();
});

// Guarantee: a page of another organization exists for its members, and for nobody else.
test("a page of another organization is offered only to its members with the right role", async () => {
  const [member, harbor, stranger] = [
    await givenMember(platform),
    await givenMember(platform, "harbor"),
    await givenMember(platform, "tidewater"),
  ];
  const { tenant } = await givenTenant(platform, harbor);
  await givenListing(platform, harbor);
  const find = (actor: Member, params: Record<string, string>) =>
    findElsewhere(
      platform,
      actor,
      params.app === undefined ? "/tenants/[tenantId]" : "/publish/[app]",
      params,
    );
  await join(member, harbor);
  expect(await find(member, { tenantId: tenant.id })).toBe(harbor.organization.id);
  expect(await find(member, { app: "vin-lookup" })).toBe(harbor.organization.id);
  expect(await find(harbor, { tenantId: tenant.id })).toBeUndefined();
  expect(await find(stranger, { tenantId: tenant.id })).toBeUndefined();
  await changeRole(platform, harbor, member.userId, "operator");
  expect(await find(member, { tenantId: tenant.id })).toBe(harbor.organization.id);
  expect(await find(member, { app: "vin-lookup" })).toBeUndefined();
});

test("a person creates a second organization, owns it and works in it, up to a number", async () => {
  const member = await givenMember(platform);
  const { organizationId } = await createOrganization(platform, member, {
    organizationName: "Second",
    organizationSlug: "second",
  });
  expect((await readActor(platform, member.sessionId))?.organization).toMatchObject({
    id: organizationId,
    role: "owner",
  });
  const again = { organizationName: "Again", organizationSlug: "second" };
  await expect(createOrganization(platform, member, again)).rejects.toMatchObject({
    code: "NAME_TAKEN",
    issues: [{ pointer: "/organizationSlug" }],
  });
  const rows = Array.from({ length: 17 }, (_, index) => ({ slug: `o-${index}`, name: "o" }));
  const owned = await platform.db.insert(organizations).values(rows).returning();
  await platform.db
    .insert(memberships)
    .values(owned.map(({ id }) => ({ organizationId: id, userId: member.userId, role: "owner" as const })));
  const create = (slug: string) =>
    createOrganization(platform, member, { organizationName: "More", organizationSlug: slug });
  expect(outcomes(await Promise.allSettled([create("more-a"), create("more-b")]))).toEqual([
    "fulfilled",
    "rejected",
  ]);
  expect(one(await platform.db.select().from(organizations).limit(1))).toBeDefined();
});
