/** Two organizations that own one object of each kind, and everyone who may ask for these objects. */
import { createHash, randomBytes } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { eq } from "drizzle-orm";
import { v7 } from "uuid";
import { attempts, deliveries, events } from "@/drizzle/schema/deliveries";
import { evidence } from "@/drizzle/schema/evidence";
import { accountLinks } from "@/drizzle/schema/identity";
import { configurations, installations, routes } from "@/drizzle/schema/installations";
import { listingDrafts, listings, manifestDrafts, reviews, versions } from "@/drizzle/schema/listings";
import { reviewComments, suspensions } from "@/drizzle/schema/moderation";
import { invitations, memberships, organizations, sessions, users } from "@/drizzle/schema/organizations";
import { coreCredentials, tenants } from "@/drizzle/schema/tenants";
import { upgrades } from "@/drizzle/schema/upgrades";
import type { Manifest } from "@/lib/contract/manifest";
import { isMember, type Actor, type Member } from "@/lib/domain/actor";
import { hashInvitation } from "@/lib/server/members/join-organization";
import { createApiKey } from "@/lib/server/api-keys/manage-api-keys";
import type { Platform } from "@/lib/server/platform/platform";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  SAMPLE_MANIFEST,
  SAMPLE_TEXT,
} from "../test-platform";

export const PASSWORD = "tidal lantern orbit";

/** Tests check many passwords and protect none. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

const MANIFEST: Manifest = {
  ...SAMPLE_MANIFEST,
  core: {
    ...SAMPLE_MANIFEST.core,
    endpoints: [{ path: "/open", methods: ["GET"], access: "public", title: "Open" }],
  },
};

/** In every text that only the organization `slug` and moderators may read. */
export const secretOf = (slug: string) => `zq-${slug}-unpublished`;

export type Side = Awaited<ReturnType<typeof givenSide>>;
export type Ids = Side["ids"];

/** An organization with an object in each state that a route needs. */
export async function givenSide(platform: Platform, slug: string, coreApiUrl: string) {
  const { db } = platform;
  const members = {
    owner: await givenMember(platform, slug),
    publisher: await givenMember(platform, slug, "publisher"),
    operator: await givenMember(platform, slug, "operator"),
    // There is another owner, so that each can leave.
    spare: await givenMember(platform, slug),
  };
  const { owner } = members;
  const secret = secretOf(slug);

  const listed = await givenListing(platform, owner, {
    appName: `${slug}-listed`,
    state: "PUBLIC",
    verified: true,
    manifest: MANIFEST,
  });
  const addVersion = async (number: string, verifiedAt: Date | null) => {
    const manifest = { ...listed.version.manifest, version: number };
    const manifestText = JSON.stringify(manifest, null, 2);
    const row = { ...listed.version, id: v7(), number, manifest, manifestText, verifiedAt };
    return one(
      await db
        .insert(versions)
        .values({ ...row, releaseNotes: verifiedAt ? "" : secret })
        .returning(),
    );
  };
  const newer = await addVersion("1.5.0", new Date());
  const waiting = await addVersion("2.0.0", null);
  const draft = await givenListing(platform, owner, { appName: `${slug}-draft`, manifest: MANIFEST });
  const suspended = await givenListing(platform, owner, {
    appName: `${slug}-suspended`,
    state: "SUSPENDED",
    verified: true,
    manifest: MANIFEST,
  });
  for (const { listing } of [draft, suspended])
    await db.update(listings).set({ title: secret, tagline: secret }).where(eq(listings.id, listing.id));
  await db.insert(suspensions).values({
    listingId: suspended.listing.id,
    reason: secret,
    suspendedBy: owner.userId,
    stopsInstallations: false,
  });
  const text = { ...SAMPLE_TEXT, tagline: secret, about: { ...SAMPLE_TEXT.about, product: secret } };
  const updatedBy = `user:${owner.userId}`;
  await db.insert(listingDrafts).values({ listingId: listed.listing.id, text, updatedBy });
  const changed = { ...structuredClone(waiting.manifest), version: "2.0.1" };
  for (const field of changed.app?.fields ?? []) if (field.type === "Text") field.title = secret;
  await db.insert(manifestDrafts).values({
    listingId: listed.listing.id,
    text: JSON.stringify(changed, null, 2),
    baseVersionId: waiting.id,
    updatedBy,
  });
  const review = one(
    await db
      .insert(reviews)
      .values({
        listingId: listed.listing.id,
        versionId: waiting.id,
        text,
        submissionNote: secret,
        submittedBy: owner.userId,
      })
      .returning(),
  );
  const claimed = one(
    await db
      .insert(reviews)
      .values({ listingId: suspended.listing.id, kind: "TEXT", text, submittedBy: owner.userId })
      .returning(),
  );
  await db.insert(evidence).values({
    reviewId: review.id,
    organizationId: owner.organization.id,
    state: "DONE",
    reason: null,
  });
  const comment = one(
    await db
      .insert(reviewComments)
      .values({ reviewId: review.id, authorId: owner.userId, moderator: false, body: secret })
      .returning(),
  );

  const connect = async (name: string) => {
    const { tenant } = await givenTenant(platform, owner, `${name}.${slug}.example`, `${secret} ${name}`);
    await db.update(tenants).set({ coreApiUrl }).where(eq(tenants.id, tenant.id));
    return tenant;
  };
  const tenant = await connect("live");
  const halted = await connect("halted");
  const unused = await connect("unused");
  const coreCredential = `pcc_${randomBytes(32).toString("base64url")}`;
  const credential = one(
    await db
      .insert(coreCredentials)
      .values({ tenantId: tenant.id, hash: createHash("sha256").update(coreCredential).digest("hex") })
      .returning(),
  );
  const running = await givenInstallation(platform, owner, listed.version, tenant.id);
  const stopped = await givenInstallation(platform, owner, listed.version, halted.id);
  const stoppedId = stopped.installation.id;
  await db.update(installations).set({ state: "STOPPED" }).where(eq(installations.id, stoppedId));
  // Without secrets, which nobody sealed, and with the answers that every version asks for.
  await db.update(configurations).set({
    settings: {
      region: { kind: "plain", value: "eu" },
      apiKey: { kind: "plain", value: secret },
    },
  });
  await db.insert(configurations).values({
    installationId: stoppedId,
    revision: 2,
    versionId: newer.id,
    settings: { region: { kind: "plain", value: "eu" }, apiKey: { kind: "plain", value: secret } },
    mappings: [{ productName: "Personal Auto", fields: { vin: "$.vin" } }],
    createdBy: owner.userId,
  });
  await db.insert(upgrades).values({
    installationId: stoppedId,
    fromVersionId: listed.version.id,
    toVersionId: newer.id,
    fromRevision: 1,
    toRevision: 2,
    state: "FAILED",
    createdBy: owner.userId,
    endedAt: new Date(),
  });
  const endpoint = one(
    await db
      .insert(routes)
      .values({
        installationId: running.installation.id,
        kind: "endpoint",
        path: "/open",
        patterns: ["GET"],
        access: "public",
      })
      .returning(),
  );
  const route = (kind: string) => one(running.routes.filter((each) => each.kind === kind));
  const event = one(
    await db
      .insert(events)
      .values({ tenantId: tenant.id, eventId: v7(), type: "policy.issued", body: "{}", bodyHash: "0" })
      .returning(),
  );
  const delivery = one(
    await db
      .insert(deliveries)
      .values({
        eventId: event.id,
        installationId: running.installation.id,
        routeId: route("webhook").id,
        state: "DEAD",
        attemptCount: 1,
        settledAt: new Date(),
      })
      .returning(),
  );
  const attempt = one(
    await db
      .insert(attempts)
      .values({
        organizationId: owner.organization.id,
        installationId: running.installation.id,
        routeId: route("webhook").id,
        deliveryId: delivery.id,
        kind: "webhook",
        target: `POST /${secret}`,
        failure: "It answered 500.",
        status: 500,
        durationMs: 20,
        endedAt: new Date(),
      })
      .returning(),
  );
  const apiKey = await createApiKey(platform, owner, secret);
  const invitationToken = randomBytes(32).toString("base64url");
  const invitation = one(
    await db
      .insert(invitations)
      .values({
        organizationId: owner.organization.id,
        role: "operator",
        email: null,
        tokenHash: hashInvitation(invitationToken),
        invitedBy: owner.userId,
        expiresAt: new Date(Date.now() + 3_600_000),
      })
      .returning(),
  );

  const ids = {
    organizationId: owner.organization.id,
    listingId: listed.listing.id,
    draftListingId: draft.listing.id,
    suspendedListingId: suspended.listing.id,
    runningVersionId: listed.version.id,
    newerVersionId: newer.id,
    versionId: waiting.id,
    draftVersionId: draft.version.id,
    reviewId: review.id,
    claimedReviewId: claimed.id,
    commentId: comment.id,
    tenantId: tenant.id,
    unusedTenantId: unused.id,
    credentialId: credential.id,
    installationId: running.installation.id,
    stoppedId,
    routeId: route("autofill").id,
    endpointId: endpoint.id,
    deliveryId: delivery.id,
    attemptId: attempt.id,
    apiKeyId: apiKey.apiKeyId,
    invitationId: invitation.id,
    memberId: members.spare.userId,
    invitationToken,
    signUpToken: await givenLink(platform, "SIGN_UP", null, {
      name: "New",
      email: `new@${slug}.example`,
      organizationName: "New",
      organizationSlug: `new-${slug}`,
      passwordHash: await hash(PASSWORD, CHEAP),
    }),
    emailToken: await givenLink(platform, "EMAIL_CHANGE", members.spare.userId, {
      email: `moved@${slug}.example`,
    }),
    passwordToken: await givenLink(platform, "NEW_PASSWORD", members.spare.userId, {}),
    sessionId: members.spare.sessionId,
    slug,
  };
  return { slug, members, ids, coreCredential, apiKey, routeBase: running.installation.routeBase };
}

/** An object of each kind that nobody has. */
export function absentIds(ids: Ids): Ids {
  const nobodys = Object.keys(ids).map((name) => [name, v7()]);
  const tokens = Object.keys(ids).filter((name) => name.endsWith("Token"));
  const unknown = tokens.map((name) => [name, randomBytes(32).toString("base64url")]);
  return { ...ids, ...Object.fromEntries([...nobodys, ...unknown]), slug: "nobody" };
}

export type SideName = "acme" | "bolt" | "strict";

/** Somebody who asks. `home`: the organization whose objects are their own. */
export interface Person {
  name: string;
  actor: Actor | undefined;
  home: SideName | undefined;
  /** Another session of the same person. */
  otherSessionId: string;
  /** Credentials other than a session. */
  headers?: Record<string, string>;
}

export async function givenWorld(platform: Platform, coreApiUrl: string) {
  const acme = await givenSide(platform, "acme", coreApiUrl);
  const bolt = await givenSide(platform, "bolt", coreApiUrl);
  const strict = await givenSide(platform, "strict", coreApiUrl);
  await platform.db
    .update(organizations)
    .set({ requireSecondFactor: true })
    .where(eq(organizations.id, strict.ids.organizationId));
  const guest = await givenMember(platform, "gone");
  await platform.db.delete(memberships).where(eq(memberships.userId, guest.userId));
  const moderator = await givenMember(platform, "left");
  await platform.db.delete(memberships).where(eq(memberships.userId, moderator.userId));
  const judge = await givenMember(platform, "acme");
  for (const { userId } of [moderator, judge])
    await platform.db.update(users).set({ moderator: true }).where(eq(users.id, userId));
  await platform.db
    .update(reviews)
    .set({ claimedBy: moderator.userId, claimedAt: new Date() })
    .where(eq(reviews.kind, "TEXT"));
  const passwordHash = await hash(PASSWORD, CHEAP);
  await platform.db.update(users).set({ passwordHash, emailConfirmedAt: new Date() });

  const alone = ({ organization: _left, ...actor }: Member): Actor => actor;
  const people: Omit<Person, "otherSessionId">[] = [
    { name: "visitor", actor: undefined, home: undefined },
    ...["API key", "core credential", "state key"].map((name, index) => ({
      name: `visitor with an ${name}`,
      actor: undefined,
      home: undefined,
      headers: {
        authorization: [basic(acme.apiKey), `Bearer ${acme.coreCredential}`, "Bearer psk_x"][index] ?? "",
      },
    })),
    { name: "owner", actor: acme.members.owner, home: "acme" },
    { name: "publisher", actor: acme.members.publisher, home: "acme" },
    { name: "operator", actor: acme.members.operator, home: "acme" },
    { name: "owner of another organization", actor: bolt.members.owner, home: "bolt" },
    {
      name: "owner without the second factor",
      actor: { ...strict.members.owner, lacksSecondFactor: true },
      home: "strict",
    },
    { name: "person without an organization", actor: alone(guest), home: undefined },
    { name: "moderator", actor: { ...alone(moderator), moderator: true }, home: undefined },
    { name: "moderator who owns the app", actor: { ...judge, moderator: true }, home: "acme" },
  ];
  const withSessions = people.map((person) => ({ ...person, otherSessionId: v7() }));
  const expiresAt = new Date(Date.now() + 3_600_000);
  for (const { actor, otherSessionId: id } of withSessions)
    if (actor !== undefined)
      await platform.db.insert(sessions).values({
        ...{ id, userId: actor.userId, expiresAt },
        organizationId: isMember(actor) ? actor.organization.id : null,
      });
  return { acme, bolt, strict, people: withSessions };
}

export type World = Awaited<ReturnType<typeof givenWorld>>;

/** What an API key is sent as. */
export function basic({ clientId, apiKey }: { clientId: string; apiKey: string }): string {
  return `Basic ${Buffer.from(`${clientId}:${apiKey}`).toString("base64")}`;
}

/** A link as it is mailed. @returns its token */
async function givenLink(
  platform: Platform,
  kind: "SIGN_UP" | "EMAIL_CHANGE" | "NEW_PASSWORD",
  userId: string | null,
  content: Record<string, string>,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(Date.now() + 3_600_000);
  await platform.db.insert(accountLinks).values({
    ...{ kind, userId, content, expiresAt },
    hash: createHash("sha256").update(token).digest("hex"),
  });
  return token;
}
