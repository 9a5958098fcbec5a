/** An organization that owns one object in each state that a route needs. */
import { createHash, randomBytes } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { eq } from "drizzle-orm";
import { v7 } from "uuid";
import { accountLinks, invitations, organizationDomains, pendingSignUps } from "@/drizzle/schema/accounts";
import { attempts, deliveries, events, routes } from "@/drizzle/schema/calls";
import { allowedApps, installations, launchRequests, upgrades } from "@/drizzle/schema/installations";
import { configurationChecks, configurations } from "@/drizzle/schema/installations-configurations";
import { coreCredentials, tenants } from "@/drizzle/schema/installations-tenants";
import { parkings } from "@/drizzle/schema/runtime";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { hashInvitation } from "@/lib/server/accounts/join-organization";
import type { Platform } from "@/lib/server/platform/platform";
import { givenInstallation, givenMember, givenTenant, one } from "../test-platform";
import { givenOffer, secretOf } from "./offer";

export const PASSWORD = "tidal lantern orbit";

/** Tests check many passwords and protect none. */
export const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

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

  const offer = await givenOffer(platform, owner, slug);
  const { listed, newer, waiting, draft, suspended, review, claimed, comment, report } = offer;

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
  await db.insert(parkings).values({ versionId: listed.version.id, crashes: 10 });
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
        routeId: running.route("webhook").id,
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
        routeId: running.route("webhook").id,
        deliveryId: delivery.id,
        kind: "webhook",
        target: `POST /${secret}`,
        failure: "It returned 500.",
        status: 500,
        durationMs: 20,
        endedAt: new Date(),
      })
      .returning(),
  );
  const check = one(
    await db
      .insert(configurationChecks)
      .values({
        organizationId: owner.organization.id,
        userId: owner.userId,
        tenantId: tenant.id,
        versionId: listed.version.id,
        state: "ENDED",
        result: { outcome: "FAILED", reason: secret },
        endedAt: new Date(),
      })
      .returning(),
  );
  const request = one(
    await db
      .insert(launchRequests)
      .values({
        organizationId: owner.organization.id,
        listingId: listed.listing.id,
        tenantId: unused.id,
        versionId: newer.id,
        requestedBy: owner.userId,
        note: secret,
      })
      .returning(),
  );
  await db.insert(allowedApps).values({
    ...{ organizationId: owner.organization.id, listingId: listed.listing.id, allowedBy: owner.userId },
  });
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

  const domain = one(
    await db
      .insert(organizationDomains)
      .values({ organizationId: owner.organization.id, domain: `${slug}.example`, token: secret })
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
    reportId: report.id,
    claimedReviewId: claimed.id,
    commentId: comment.id,
    tenantId: tenant.id,
    unusedTenantId: unused.id,
    credentialId: credential.id,
    installationId: running.installation.id,
    stoppedId,
    routeId: running.route("autofill").id,
    endpointId: endpoint.id,
    deliveryId: delivery.id,
    attemptId: attempt.id,
    checkId: check.id,
    requestId: request.id,
    apiKeyId: apiKey.apiKeyId,
    domainId: domain.id,
    invitationId: invitation.id,
    memberId: members.spare.userId,
    invitationToken,
    signUpToken: await givenSignUp(platform, slug),
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

/** A link as it is emailed. @returns its token */
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

/** A sign-up that waits for its address. @returns the token of its link */
async function givenSignUp(platform: Platform, slug: string): Promise<string> {
  const email = `new@${slug}.example`;
  await platform.db.insert(pendingSignUps).values({
    ...{ email, requester: "-", expiresAt: new Date(Date.now() + 3_600_000) },
    content: {
      ...{ name: "New", email, organizationName: "New", organizationSlug: `new-${slug}` },
      passwordHash: await hash(PASSWORD, CHEAP),
    },
  });
  return givenLink(platform, "SIGN_UP", null, { email });
}
