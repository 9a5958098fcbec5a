/**
 * The permissions of the web: one row for each page and route handler, checked at every request. Each route of the gateway
 * names its credential itself.
 */
import type { Role } from "@/lib/contract/platform/role";
import type { Actor } from "../platform/actor";

/**
 * `public`: anyone. `account`: any user, about the user's own account. `signed-in`: any user who has the second factor that the
 * organization requires, as do all that follow. `moderator`: the platform's moderators. `moderator-or-publisher`: moderators,
 * and owners and publishers of any organization. A list: these organization roles.
 */
export type Audience =
  "public" | "account" | "signed-in" | "moderator" | "moderator-or-publisher" | readonly Role[];

const ANY_MEMBER = ["owner", "publisher", "operator"] as const;
const PUBLISHERS = ["owner", "publisher"] as const;
const OWNERS = ["owner"] as const;

/** Pages, by their path under `app/`. Users who may not see a page get a 404. */
export const PAGE_POLICY = {
  "/": "public",
  "/marketplace": "public",
  "/marketplace/[organization]/[app]": "public",
  "/marketplace/[organization]/[app]/report": "signed-in",
  "/publishers/[slug]": "public",
  "/sign-in": "public",
  "/sign-up": "public",
  "/sign-up/confirm": "public",
  "/sign-out": "public",
  "/forgot-password": "public",
  "/new-password": "public",
  "/confirm-email": "public",
  "/account": "account",
  "/invitations/[token]": "public",
  "/docs": "public",
  "/docs/[doc]": "public",
  "/docs/[doc]/[part]": "public",
  "/docs/search": "public",
  "/home": "signed-in",
  "/organization/new": "account",
  "/organization/switch": "account",
  "/notifications": "signed-in",
  "/account/notifications": "signed-in",
  "/publish": PUBLISHERS,
  "/publish/new": PUBLISHERS,
  "/publish/[app]": PUBLISHERS,
  "/publish/[app]/customers": PUBLISHERS,
  "/publish/[app]/edit": PUBLISHERS,
  "/publish/[app]/logs": PUBLISHERS,
  "/publish/[app]/manifest": PUBLISHERS,
  "/publish/[app]/metrics": PUBLISHERS,
  "/publish/[app]/reviews/[reviewId]": PUBLISHERS,
  "/publish/[app]/settings": PUBLISHERS,
  "/publish/[app]/versions": PUBLISHERS,
  "/moderation": "moderator",
  "/moderation/[reviewId]": "moderator",
  "/moderation/listings": "moderator",
  "/moderation/listings/[listingId]": "moderator",
  "/moderation/reports": "moderator",
  "/moderation/isolation": "moderator",
  "/moderation/operation": "moderator",
  "/moderation/usage": "moderator",
  "/tenants": ANY_MEMBER,
  "/tenants/new": OWNERS,
  "/tenants/[tenantId]": ANY_MEMBER,
  "/launch/[organization]/[app]": ANY_MEMBER,
  "/installations": ANY_MEMBER,
  "/installations/requests": ANY_MEMBER,
  "/installations/[installationId]": ANY_MEMBER,
  "/installations/[installationId]/calls": ANY_MEMBER,
  "/installations/[installationId]/configuration": ANY_MEMBER,
  "/installations/[installationId]/settings": ANY_MEMBER,
  "/installations/[installationId]/configure": ANY_MEMBER,
  "/installations/[installationId]/history": ANY_MEMBER,
  "/installations/[installationId]/upgrade": ANY_MEMBER,
  "/calls/[attemptId]": ANY_MEMBER,
  "/calls": ANY_MEMBER,
  "/organization/api-keys": PUBLISHERS,
  "/organization/members": ANY_MEMBER,
  "/organization/settings": ANY_MEMBER,
  "/organization/allowed-apps": ANY_MEMBER,
  "/organization/audit": OWNERS,
  "/moderation/audit": "moderator",
} as const satisfies Record<string, Audience>;

/** Route handlers, by method and path under `app/`. */
export const ROUTE_POLICY = {
  "GET /api/auth/[...nextauth]": "public",
  "POST /api/auth/[...nextauth]": "public",
  "GET /state/[key]": "public",
  "GET /live": "public",
  "GET /ready": "public",
  "GET /api/health": "public",
  "GET /api/availability": "public",
  "GET /api/platform": "public",
  "GET /schemas/platform-app.json": "public",
  "GET /openapi.json": "public",
  "GET /platform-app.tgz": "public",
  "GET /schemas/events/[file]": "public",
  "GET /docs/search.json": "public",
  "GET /images/[file]": "public",
  "GET /marketplace/[organization]/[app]/social.png": "public",
  "GET /robots.txt": "public",
  "GET /sitemap.xml": "public",
  "GET /sitemaps/[file]": "public",
  "POST /api/sign-up": "public",
  "GET /api/unsubscribe/[token]": "public",
  "POST /api/unsubscribe/[token]": "public",
  "GET /api/search": "signed-in",
  "GET /api/notifications": "signed-in",
  "POST /api/notifications/read": "signed-in",
  "PUT /api/notifications/preferences": "signed-in",
  "POST /api/sign-up/confirm": "public",
  "POST /api/sign-out": "account",
  "POST /api/forgot-password": "public",
  "POST /api/new-password": "public",
  "POST /api/confirm-email": "public",
  "PUT /api/account": "account",
  "PUT /api/account/zone": "account",
  "POST /api/account/email": "account",
  "PUT /api/account/password": "account",
  "DELETE /api/account/sessions": "account",
  "DELETE /api/account/sessions/[sessionId]": "account",
  "DELETE /api/account/identities": "account",
  "PUT /api/account/organization": "account",
  "GET /api/organizations": "account",
  "POST /api/organizations": "account",
  "POST /api/invitations/[token]/accept": "account",
  "POST /api/invitations/[token]/sign-up": "public",
  "POST /api/account/second-factor": "account",
  "PUT /api/account/second-factor": "account",
  "POST /api/account/second-factor/remove": "account",
  "POST /api/account/second-factor/recovery-codes": "account",
  "PUT /api/organization/second-factor": OWNERS,
  "POST /api/listings": PUBLISHERS,
  "POST /api/images": PUBLISHERS,
  "GET /api/listings/[listingId]/text": PUBLISHERS,
  "PUT /api/listings/[listingId]/text": PUBLISHERS,
  "POST /api/listings/[listingId]/text/review": PUBLISHERS,
  "DELETE /api/listings/[listingId]": PUBLISHERS,
  "POST /api/listings/[listingId]/retire": PUBLISHERS,
  "PUT /api/listings/[listingId]/visibility": PUBLISHERS,
  "POST /api/listings/[listingId]/link": PUBLISHERS,
  "PUT /api/listings/[listingId]/pilots": PUBLISHERS,
  "DELETE /api/pilots/[listingId]": OWNERS,
  "PUT /api/listings/[listingId]/replicas": PUBLISHERS,
  "POST /api/listings/[listingId]/restart": PUBLISHERS,
  "PUT /api/listings/[listingId]/versions/[versionId]/notes": PUBLISHERS,
  "GET /api/listings/[listingId]/metrics": PUBLISHERS,
  "POST /api/listings/[listingId]/reviews": PUBLISHERS,
  "GET /api/listings/[listingId]/manifest": PUBLISHERS,
  "PUT /api/listings/[listingId]/manifest": PUBLISHERS,
  "GET /api/listings/[listingId]/manifest/impact": PUBLISHERS,
  "POST /api/listings/[listingId]/manifest/release": PUBLISHERS,
  "GET /api/listings/[listingId]/versions/[versionId]/manifest": PUBLISHERS,
  "GET /api/listings/[listingId]/versions/[versionId]/logs": PUBLISHERS,
  "GET /api/listings/[listingId]/versions/[versionId]/logs/file": PUBLISHERS,
  "GET /api/listings/[listingId]/versions/[versionId]/logs/stream": PUBLISHERS,
  "POST /api/listings/[listingId]/reports": "signed-in",
  "DELETE /api/listing-reports/[reportId]": "moderator",
  "POST /api/listings/[listingId]/suspension": "moderator",
  "DELETE /api/listings/[listingId]/suspension": "moderator",
  "POST /api/reviews/[reviewId]/decision": "moderator",
  "POST /api/reviews/[reviewId]/claim": "moderator",
  "DELETE /api/reviews/[reviewId]/claim": "moderator",
  "POST /api/reviews/[reviewId]/sandbox": "moderator",
  "GET /api/reviews/[reviewId]/evidence": "moderator-or-publisher",
  "POST /api/reviews/[reviewId]/evidence": "moderator",
  "POST /api/reviews/[reviewId]/withdraw": PUBLISHERS,
  // About one review, `lib/domain/moderation/review.ts` says who takes part.
  "GET /api/reviews/[reviewId]/comments": "moderator-or-publisher",
  "POST /api/reviews/[reviewId]/comments": "moderator-or-publisher",
  "PUT /api/reviews/[reviewId]/comments/[commentId]": "moderator-or-publisher",
  "PUT /api/reviews/[reviewId]/comments/[commentId]/resolution": "moderator-or-publisher",
  "POST /api/organization/domains": PUBLISHERS,
  "POST /api/organization/domains/[domainId]/check": PUBLISHERS,
  "DELETE /api/organization/domains/[domainId]": PUBLISHERS,
  "POST /api/organization/api-keys": PUBLISHERS,
  "DELETE /api/organization/api-keys/[apiKeyId]": PUBLISHERS,
  "POST /api/organization/api-keys/[apiKeyId]/rotate": PUBLISHERS,
  "PUT /api/organization/settings": OWNERS,
  "PUT /api/organization/launch-rules": OWNERS,
  "GET /api/organization/audit/actors": OWNERS,
  "GET /api/organization/audit/export": OWNERS,
  "GET /api/organization/audit/verification": OWNERS,
  "GET /api/moderation/audit/actors": "moderator",
  "GET /api/moderation/audit/export": "moderator",
  "GET /api/moderation/audit/verification": "moderator",
  "POST /api/moderation/isolation": "moderator",
  "PUT /api/organization/profile": OWNERS,
  "PUT /api/organization/members/[memberId]/role": OWNERS,
  "POST /api/organization/members/[memberId]/remove": OWNERS,
  "POST /api/organization/leave": ANY_MEMBER,
  "POST /api/organization/invitations": OWNERS,
  "DELETE /api/organization/invitations/[invitationId]": OWNERS,
  "POST /api/organization/invitations/[invitationId]/renew": OWNERS,
  "POST /api/trials": ANY_MEMBER,
  "POST /api/launch-requests": ANY_MEMBER,
  "POST /api/launch-requests/[requestId]/decision": OWNERS,
  "POST /api/launch-requests/[requestId]/withdrawal": ANY_MEMBER,
  "PUT /api/allowed-apps/[listingId]": OWNERS,
  "DELETE /api/allowed-apps/[listingId]": OWNERS,
  "POST /api/tenants": OWNERS,
  "POST /api/tenants/connection": OWNERS,
  "POST /api/tenants/sandbox": PUBLISHERS,
  "PUT /api/tenants/[tenantId]": OWNERS,
  "DELETE /api/tenants/[tenantId]": OWNERS,
  "POST /api/tenants/[tenantId]/connection": ANY_MEMBER,
  "POST /api/tenants/[tenantId]/core-credentials": OWNERS,
  "DELETE /api/tenants/[tenantId]/core-credentials/[credentialId]": OWNERS,
  "POST /api/tenants/[tenantId]/products": ANY_MEMBER,
  "POST /api/configuration-checks": ANY_MEMBER,
  "GET /api/configuration-checks/[checkId]": ANY_MEMBER,
  "DELETE /api/configuration-checks/[checkId]": ANY_MEMBER,
  "POST /api/installations": ANY_MEMBER,
  "GET /api/installations/[installationId]": ANY_MEMBER,
  "POST /api/installations/[installationId]/stop": ANY_MEMBER,
  "POST /api/installations/[installationId]/start": ANY_MEMBER,
  "POST /api/installations/[installationId]/start-again": ANY_MEMBER,
  "POST /api/installations/[installationId]/terms": ANY_MEMBER,
  "POST /api/installations/[installationId]/uninstall": ANY_MEMBER,
  "GET /api/installations/[installationId]/configuration": ANY_MEMBER,
  "PUT /api/installations/[installationId]/configuration": ANY_MEMBER,
  "POST /api/installations/[installationId]/revisions/[revision]/restore": ANY_MEMBER,
  "PUT /api/installations/[installationId]/endpoints/[routeId]": ANY_MEMBER,
  "PUT /api/installations/[installationId]/hosts": OWNERS,
  "POST /api/installations/[installationId]/route-base": ANY_MEMBER,
  "POST /api/installations/[installationId]/webhook-secrets": ANY_MEMBER,
  "POST /api/installations/[installationId]/webhook-secrets/reveal": ANY_MEMBER,
  "GET /api/installations/[installationId]/webhook-secrets": ANY_MEMBER,
  "GET /api/installations/[installationId]/upgrade": ANY_MEMBER,
  "POST /api/installations/[installationId]/upgrade": ANY_MEMBER,
  "POST /api/installations/[installationId]/upgrade/retry": ANY_MEMBER,
  "POST /api/installations/[installationId]/calls": ANY_MEMBER,
  "GET /api/installations/[installationId]/recipients": ANY_MEMBER,
  "GET /api/installations/[installationId]/samples": ANY_MEMBER,
  "GET /api/installations/[installationId]/sent-calls": ANY_MEMBER,
  "GET /api/deliveries/[deliveryId]": ANY_MEMBER,
  "POST /api/deliveries/replay": ANY_MEMBER,
  "GET /api/calls": ANY_MEMBER,
  "GET /api/calls/chart": ANY_MEMBER,
  "GET /api/calls/export": ANY_MEMBER,
  "GET /api/calls/installations": ANY_MEMBER,
  "GET /api/calls/stream": ANY_MEMBER,
  "GET /api/calls/[attemptId]": ANY_MEMBER,
  "POST /api/calls/[attemptId]/log": PUBLISHERS,
} as const satisfies Record<string, Audience>;

export type PagePath = keyof typeof PAGE_POLICY;
export type RouteName = keyof typeof ROUTE_POLICY;

export type Admission = "admitted" | "not-signed-in" | "second-factor-needed" | "not-allowed";

/** The rule for pages and handlers alike. */
export function admit(audience: Audience, actor: Actor | undefined): Admission {
  if (audience === "public") return "admitted";
  if (actor === undefined) return "not-signed-in";
  if (audience === "account") return "admitted";
  if (actor.lacksSecondFactor === true) return "second-factor-needed";
  if (audience === "signed-in") return "admitted";
  const hasRole = (roles: readonly Role[]) =>
    actor.organization !== undefined && roles.includes(actor.organization.role);
  const isAdmitted =
    audience === "moderator"
      ? actor.moderator
      : audience === "moderator-or-publisher"
        ? actor.moderator || hasRole(PUBLISHERS)
        : hasRole(audience);
  return isAdmitted ? "admitted" : "not-allowed";
}

/** The pages that the actor may open, by their paths under `app/`. */
export function listAllowedPages(actor: Actor): string[] {
  return Object.entries(PAGE_POLICY).flatMap(([path, audience]) =>
    admit(audience, actor) === "admitted" ? [path] : [],
  );
}
