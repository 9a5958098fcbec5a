import { beforeEach, expect, test } from "vitest";
import { organizationDomains } from "@/drizzle/schema/accounts";
import { audit, notifications } from "@/drizzle/schema/platform";
import type { Member } from "@/lib/domain/platform/actor";
import { workOnce } from "@/tests/deliver";
import { givenListing, givenMember, one, testPlatform } from "@/tests/test-platform";
import { readMarketplaceListing, readPublisher } from "../../catalog/marketplace";
import { checkDomainNow, domainPool } from "./check-domain";
import type { FoundProof } from "./find-proof";
import { addDomain, listDomains, removeDomain } from "./manage-domains";

const platform = await testPlatform();

const GONE: FoundProof = { provenBy: undefined, isCertain: true, problem: "No TXT record." };
const AWAY: FoundProof = { provenBy: undefined, isCertain: false, problem: "It did not respond." };

/** The proofs that are there now. */
let proofs: Map<string, FoundProof>;
const find = async ({ proof }: { proof: string }) => proofs.get(proof) ?? GONE;

let owner: Member;
beforeEach(async () => {
  proofs = new Map();
  owner = await givenMember(platform, "acme");
});

async function givenDomain(member = owner, domain = "acme.example") {
  const { domainId } = await addDomain(platform, member, domain);
  const proof = one((await listDomains(platform, member)).filter(({ id }) => id === domainId)).proof;
  return {
    id: domainId,
    prove: () => void proofs.set(proof, { provenBy: "dns" }),
    unprove: (found = GONE) => void proofs.set(proof, found),
    check: async () => {
      // As if nobody had asked just before.
      await platform.pool.query("update organization_domains set checked_at = null");
      return checkDomainNow(platform, member, domainId, find);
    },
    view: async () => one((await listDomains(platform, member)).filter(({ id }) => id === domainId)),
  };
}

const later = (days: number) =>
  platform.pool.query(
    `update organization_domains set next_check_at = next_check_at - make_interval(days => $1),
       failing_since = failing_since - make_interval(days => $1)`,
    [days],
  );
const work = () => workOnce(domainPool(platform, find));
const actions = async () =>
  (await platform.db.select().from(audit).orderBy(audit.position)).map(
    ({ actor, action }) => `${actor.split(":")[0]} ${action}`,
  );
const told = async () =>
  (await platform.db.select().from(notifications).orderBy(notifications.id)).map(({ title }) => title);

async function shownDomains() {
  const { listing } = await readMarketplaceListing(platform, undefined, "acme", "vin-lookup");
  expect((await readPublisher(platform, "acme")).domains).toEqual(listing.organizationDomains);
  return listing.organizationDomains;
}

test("a domain waits for its proof, and listings show it once it is found", async () => {
  await givenListing(platform, owner, { state: "PUBLIC", verified: true });
  const domain = await givenDomain(owner, "https://ACME.example/");
  expect(await domain.check()).toEqual({ state: "WAITING", problem: "No TXT record." });
  expect(await shownDomains()).toEqual([]);
  domain.prove();
  expect(await domain.check()).toEqual({ state: "VERIFIED", problem: "" });
  expect(await domain.view()).toMatchObject({ domain: "acme.example", provenBy: "dns", problem: "" });
  expect(await shownDomains()).toEqual(["acme.example"]);
  expect(await actions()).toEqual(["user domain.add", "user domain.verify"]);
  await removeDomain(platform, owner, domain.id);
  expect(await shownDomains()).toEqual([]);
});

// Guarantee: a domain that stops proving is shown for 14 more days, in which owners know, and then not anymore.
test("a domain that stops proving is failing, then lost", async () => {
  await givenListing(platform, owner, { state: "PUBLIC", verified: true });
  const domain = await givenDomain();
  domain.prove();
  await domain.check();
  expect(await work()).toBe(0);
  domain.unprove();
  await later(7);
  expect(await work()).toBe(1);
  expect(await domain.view()).toMatchObject({ state: "FAILING", problem: "No TXT record." });
  expect(await shownDomains()).toEqual(["acme.example"]);
  expect(await told()).toEqual(["The proof of acme.example is gone"]);
  await later(1);
  expect(await work()).toBe(1);
  expect(await domain.view()).toMatchObject({ state: "FAILING" });
  expect(await told()).toHaveLength(1);
  await later(13);
  expect(await work()).toBe(1);
  expect(await domain.view()).toMatchObject({ state: "LOST", lostAt: null });
  expect(await shownDomains()).toEqual([]);
  expect(await told()).toEqual(["acme.example is no longer verified"]);
  await later(100);
  expect(await work()).toBe(0);
  expect(await actions()).toEqual([
    "user domain.add",
    "user domain.verify",
    "worker domain.fail",
    "worker domain.lose",
  ]);
  domain.prove();
  expect(await domain.check()).toMatchObject({ state: "VERIFIED" });
});

test("a proof that comes back ends the grace", async () => {
  const domain = await givenDomain();
  domain.prove();
  await domain.check();
  domain.unprove();
  await domain.check();
  domain.prove();
  await later(1);
  expect(await work()).toBe(1);
  expect(await domain.view()).toMatchObject({ state: "VERIFIED", lostAt: null, problem: "" });
  expect(await told()).toEqual(["The proof of acme.example is back"]);
});

// Guarantee: no two organizations are shown with the same domain, and nobody takes one whose proof is there.
test("the later proof wins only if the earlier one fails", async () => {
  const earlier = await givenDomain();
  earlier.prove();
  await earlier.check();
  const other = await givenMember(platform, "bolt");
  const later = await givenDomain(other);
  later.prove();
  expect(await later.check()).toMatchObject({
    state: "WAITING",
    problem: expect.stringContaining("another organization has verified this domain"),
  });
  earlier.unprove(AWAY);
  expect(await later.check()).toMatchObject({ state: "WAITING" });
  expect(await earlier.view()).toMatchObject({ state: "VERIFIED" });
  earlier.unprove();
  expect(await later.check()).toEqual({ state: "VERIFIED", problem: "" });
  expect(await earlier.view()).toMatchObject({
    state: "LOST",
    problem: expect.stringContaining("Another organization has proven"),
  });
  const lost = (await platform.db.select().from(notifications)).filter(
    ({ userId }) => userId === owner.userId,
  );
  expect(lost.map(({ title }) => title)).toEqual(["acme.example is no longer verified"]);
  earlier.prove();
  expect(await earlier.check()).toMatchObject({ state: "LOST" });
});

test("two organizations that prove a domain at the same moment are never both verified", async () => {
  const other = await givenMember(platform, "bolt");
  const domains = [await givenDomain(), await givenDomain(other)];
  for (const domain of domains) domain.prove();
  await platform.pool.query("update organization_domains set checked_at = null");
  await Promise.all(
    domains.map(({ id }, index) => checkDomainNow(platform, index === 0 ? owner : other, id, find)),
  );
  const rows = await platform.db.select().from(organizationDomains);
  expect(rows.filter(({ state }) => state === "VERIFIED")).toHaveLength(1);
});

test("a domain is checked every ten seconds at most, and by its organization only", async () => {
  const domain = await givenDomain();
  await checkDomainNow(platform, owner, domain.id, find);
  await expect(checkDomainNow(platform, owner, domain.id, find)).rejects.toMatchObject({
    code: "TOO_MANY_REQUESTS",
  });
  const stranger = await givenMember(platform, "bolt");
  await expect(checkDomainNow(platform, stranger, domain.id, find)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(removeDomain(platform, stranger, domain.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(checkDomainNow(platform, owner, "x", find)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("an organization has ten domains at most, and each once", async () => {
  await givenDomain();
  await expect(addDomain(platform, owner, "ACME.example.")).rejects.toMatchObject({
    code: "NAME_TAKEN",
    issues: [{ pointer: "/domain" }],
  });
  await expect(addDomain(platform, owner, "co.uk")).rejects.toMatchObject({
    code: "BAD_INPUT",
    issues: [{ pointer: "/domain", message: expect.stringContaining("shared by many") }],
  });
  for (let at = 1; at < 10; at += 1) await addDomain(platform, owner, `acme-${at}.example`);
  await expect(addDomain(platform, owner, "acme-10.example")).rejects.toMatchObject({
    code: "QUOTA_EXCEEDED",
  });
});

// Guarantee: nobody uses the platform to send requests to strangers again and again.
test("removing a domain and adding it again is no way around the limit of checks", async () => {
  for (let at = 0; at < 60; at += 1) {
    const domain = await givenDomain();
    await checkDomainNow(platform, owner, domain.id, find);
    await removeDomain(platform, owner, domain.id);
  }
  const domain = await givenDomain();
  await expect(checkDomainNow(platform, owner, domain.id, find)).rejects.toMatchObject({
    code: "TOO_MANY_REQUESTS",
    detail: expect.stringContaining("60 times in an hour"),
  });
});
