/** What each route handler is sent, and what it returns to callers that the policy table admits. */
import type { RouteName } from "@/lib/domain/accounts/policy";
import { SAMPLE_TEXT } from "../test-platform";
import { type Ids, PASSWORD } from "./side";
import type { Person } from "./world";

/** Whose object a request is about. `any`: the route is about no object. */
export type Relation = "own" | "foreign" | "absent" | "any";

interface Case {
  /** The status for permitted callers. A 409 is the documented refusal for the object's state. */
  ok: number;
  /** The ids that fill the placeholders of the path, where the names differ. */
  at?: Record<string, keyof Ids>;
  query?: (ids: Ids) => string;
  headers?: Record<string, string>;
  body?: (ids: Ids) => unknown;
  /** The query or the body names an object, and the path does not. */
  named?: true;
  /** Rules beside the policy table. Undefined: the table decides. */
  rule?: (person: Person, relation: Relation) => number | undefined;
}

const role = ({ actor }: Person) => actor?.organization?.role;
const isModerator = ({ actor }: Person) => actor?.moderator === true;

/** Publishers operate Test Launches only. */
const operated = (person: Person, relation: Relation) =>
  relation === "own" && role(person) === "publisher" ? 403 : undefined;

/** Moderators see every organization's, and decide about all but their own. */
const judged =
  (ok: number): Case["rule"] =>
  (person, relation) =>
    relation === "absent" ? 404 : relation === "own" && person.home !== undefined ? 403 : ok;

/** Moderators see every organization's. */
const discussed =
  (ok: number): Case["rule"] =>
  (person, relation) =>
    relation === "own" || (relation === "foreign" && isModerator(person)) ? ok : 404;

/** Whoever asked for it, which is an owner. */
const asked =
  (ok: number): Case["rule"] =>
  (person, relation) =>
    relation === "own" && person.name.startsWith("owner") ? ok : 404;

/** Whoever has the link. */
const linked =
  (ok: number): Case["rule"] =>
  (_person, relation) =>
    relation === "absent" ? 404 : ok;

const confirm = () => ({ currentPassword: PASSWORD });
const nothing = { settings: {}, mappings: {} };
const text = () => ({ ...SAMPLE_TEXT, tagline: "Changed" });
const tenant = (name: string) => ({
  ...{ name, hostName: `${name}.core.example`, credential: { action: "set", value: "core-key" } },
});

/** next-auth's own handlers need Next around them: `lib/server/surface/web/hostile-sessions.test.ts` tests them. */
export type AskedRoute = Exclude<RouteName, `${string} /api/auth/[...nextauth]`>;

/** `coreApiUrl`: a core that answers. */
export function describeCases(coreApiUrl: string): Record<AskedRoute, Case> {
  const core = (name: string) => ({ ...tenant(name), coreApiUrl });
  const atStopped = { installationId: "stoppedId" } as const;
  const atDraft = { listingId: "draftListingId", versionId: "draftVersionId" } as const;
  return {
    "GET /state/[key]": { ok: 404 },
    "GET /live": { ok: 200 },
    "GET /ready": { ok: 200 },
    "GET /api/health": { ok: 200 },
    "GET /api/availability": { ok: 200 },
    "GET /api/platform": { ok: 200 },
    "GET /schemas/platform-app.json": { ok: 200 },
    "GET /openapi.json": { ok: 200 },
    "GET /platform-app.tgz": { ok: 200 },
    "GET /schemas/events/[file]": { ok: 404 },
    "GET /docs/search.json": { ok: 200 },
    "GET /images/[file]": { ok: 404 },
    "GET /marketplace/[organization]/[app]/social.png": { ok: 404 },
    "GET /robots.txt": { ok: 200 },
    "GET /sitemap.xml": { ok: 200 },
    "GET /sitemaps/[file]": { ok: 404 },
    "POST /api/sign-up": {
      ok: 201,
      body: () => ({
        name: "Eve",
        email: "eve@new.example",
        password: PASSWORD,
        organizationName: "New",
        organizationSlug: "new",
      }),
    },
    "GET /api/unsubscribe/[token]": { ok: 303 },
    "POST /api/unsubscribe/[token]": { ok: 404 },
    "GET /api/search": { ok: 200, query: () => "q=vin" },
    "GET /api/notifications": { ok: 200 },
    "POST /api/notifications/read": { ok: 204, body: () => ({ until: new Date().toISOString() }) },
    "PUT /api/notifications/preferences": { ok: 204, body: () => ({ kind: "comment", email: false }) },
    "POST /api/sign-up/confirm": {
      ok: 200,
      named: true,
      body: ({ signUpToken }) => ({ token: signUpToken, password: PASSWORD }),
      rule: linked(200),
    },
    "POST /api/sign-out": { ok: 204 },
    "POST /api/forgot-password": { ok: 204, body: () => ({ email: "eve@new.example" }) },
    "POST /api/new-password": {
      ok: 200,
      named: true,
      body: ({ passwordToken }) => ({ token: passwordToken, password: "another lantern orbit" }),
      rule: linked(200),
    },
    "POST /api/confirm-email": {
      ok: 200,
      named: true,
      body: ({ emailToken }) => ({ token: emailToken }),
      rule: linked(200),
    },
    "PUT /api/account": { ok: 204, body: () => ({ name: "Another name" }) },
    "PUT /api/account/zone": { ok: 204, body: () => ({ zone: "Europe/Zurich" }) },
    "POST /api/account/email": { ok: 200, body: () => ({ ...confirm(), email: "moved@new.example" }) },
    "PUT /api/account/password": {
      ok: 204,
      body: () => ({ ...confirm(), password: "another lantern orbit" }),
    },
    "DELETE /api/account/sessions": { ok: 204 },
    "DELETE /api/account/sessions/[sessionId]": { ok: 204 },
    // Nobody has one.
    "DELETE /api/account/identities": { ok: 404 },
    "PUT /api/account/organization": {
      ok: 204,
      named: true,
      body: ({ organizationId }) => ({ organizationId }),
      rule: ({ home }, relation) => (relation === "own" && home === undefined ? 404 : undefined),
    },
    "GET /api/organizations": { ok: 200 },
    "POST /api/organizations": {
      ok: 201,
      body: () => ({ organizationName: "New", organizationSlug: "new" }),
    },
    "POST /api/invitations/[token]/accept": {
      ok: 204,
      at: { token: "invitationToken" },
      rule: ({ home }, relation) =>
        relation === "absent" ? 404 : relation === "own" && home !== undefined ? 409 : 204,
    },
    "POST /api/invitations/[token]/sign-up": {
      ok: 201,
      at: { token: "invitationToken" },
      body: () => ({ name: "Eve", email: "eve@new.example", password: PASSWORD }),
      rule: linked(201),
    },
    "POST /api/account/second-factor": { ok: 200, body: confirm },
    // It was not begun.
    "PUT /api/account/second-factor": { ok: 409, body: () => ({ code: "123456" }) },
    "POST /api/account/second-factor/remove": { ok: 409, body: confirm },
    "POST /api/account/second-factor/recovery-codes": { ok: 409, body: confirm },
    "PUT /api/organization/second-factor": { ok: 204, body: () => ({ required: false }) },
    "POST /api/listings": {
      ok: 201,
      body: () => {
        const { icon: _icon, ...listing } = text();
        return { ...listing, appName: "another" };
      },
    },
    "POST /api/images": { ok: 201, query: () => "use=icon", headers: { "content-type": "image/png" } },
    "GET /api/listings/[listingId]/text": { ok: 200 },
    "GET /api/listings/[listingId]/metrics": { ok: 200, query: () => "last=7d" },
    "PUT /api/listings/[listingId]/text": { ok: 200, body: () => ({ text: text(), revision: 1 }) },
    "POST /api/listings/[listingId]/text/review": { ok: 201, body: () => ({ revision: 1 }) },
    "DELETE /api/listings/[listingId]": { ok: 409 },
    "POST /api/listings/[listingId]/retire": { ok: 204 },
    "PUT /api/listings/[listingId]/visibility": { ok: 204, body: () => ({ visibility: "EVERYONE" }) },
    "POST /api/listings/[listingId]/link": { ok: 409 },
    "PUT /api/listings/[listingId]/pilots": { ok: 204, body: () => ({ organizations: [] }) },
    // Nobody is a pilot of its own app.
    "DELETE /api/pilots/[listingId]": { ok: 404 },
    "PUT /api/listings/[listingId]/replicas": { ok: 204, body: () => ({ replicas: 2 }) },
    "POST /api/listings/[listingId]/restart": { ok: 204 },
    "PUT /api/listings/[listingId]/versions/[versionId]/notes": {
      ok: 204,
      at: atDraft,
      body: () => ({ notes: "Faster." }),
    },
    "POST /api/listings/[listingId]/reviews": {
      ok: 201,
      at: atDraft,
      body: ({ draftVersionId }) => ({ versionId: draftVersionId }),
    },
    "GET /api/listings/[listingId]/manifest": { ok: 200 },
    "PUT /api/listings/[listingId]/manifest": {
      ok: 200,
      body: () => ({ text: "{}", revision: 1, baseVersionId: null }),
    },
    "GET /api/listings/[listingId]/manifest/impact": { ok: 200 },
    "POST /api/listings/[listingId]/manifest/release": { ok: 201, body: () => ({ revision: 1 }) },
    "GET /api/listings/[listingId]/versions/[versionId]/manifest": { ok: 200 },
    "GET /api/listings/[listingId]/versions/[versionId]/logs": { ok: 200 },
    "GET /api/listings/[listingId]/versions/[versionId]/logs/file": { ok: 200 },
    "GET /api/listings/[listingId]/versions/[versionId]/logs/stream": {
      ok: 200,
      headers: { accept: "text/event-stream" },
    },
    "POST /api/listings/[listingId]/reports": {
      ok: 201,
      body: () => ({ text: "It sends data elsewhere." }),
      rule: linked(201),
    },
    "DELETE /api/listing-reports/[reportId]": { ok: 204, rule: judged(204) },
    "POST /api/listings/[listingId]/suspension": {
      ok: 200,
      body: () => ({ reason: "It broke.", stopInstallations: true }),
      rule: judged(200),
    },
    "DELETE /api/listings/[listingId]/suspension": {
      ok: 200,
      at: { listingId: "suspendedListingId" },
      rule: judged(200),
    },
    "POST /api/reviews/[reviewId]/decision": {
      ok: 204,
      body: () => ({ decision: "approve" }),
      rule: judged(204),
    },
    "POST /api/reviews/[reviewId]/claim": { ok: 204, rule: judged(204) },
    "DELETE /api/reviews/[reviewId]/claim": {
      ok: 204,
      at: { reviewId: "claimedReviewId" },
      // The other moderator claimed it.
      rule: (person, relation) =>
        person.home !== undefined && relation === "foreign" ? 409 : judged(204)?.(person, relation),
    },
    "POST /api/reviews/[reviewId]/sandbox": { ok: 200, rule: judged(200) },
    "GET /api/reviews/[reviewId]/evidence": { ok: 200, rule: discussed(200) },
    "POST /api/reviews/[reviewId]/evidence": { ok: 204, rule: judged(204) },
    "POST /api/reviews/[reviewId]/withdraw": { ok: 204 },
    "GET /api/reviews/[reviewId]/comments": { ok: 200, rule: discussed(200) },
    "POST /api/reviews/[reviewId]/comments": {
      ok: 201,
      body: () => ({ body: "Why?" }),
      rule: discussed(201),
    },
    "PUT /api/reviews/[reviewId]/comments/[commentId]": {
      ok: 204,
      body: () => ({ body: "Why not?" }),
      // Only its author, the owner of the organization.
      rule: (person, relation) => (relation === "own" && person.name.startsWith("owner") ? 204 : 404),
    },
    "PUT /api/reviews/[reviewId]/comments/[commentId]/resolution": {
      ok: 204,
      body: () => ({ resolved: true }),
      rule: discussed(204),
    },
    "POST /api/organization/api-keys": {
      ok: 201,
      body: () => ({ name: "Another", scopes: ["publish"], days: 30 }),
    },
    "GET /api/organization/api-keys/export": { ok: 200, query: () => "format=csv" },
    "DELETE /api/organization/api-keys/[apiKeyId]": { ok: 204 },
    "POST /api/organization/api-keys/[apiKeyId]/rotate": { ok: 201, body: () => ({ days: 30 }) },
    "POST /api/organization/domains": { ok: 201, body: () => ({ domain: "another.example" }) },
    // Its name servers are away, so it stays without a proof.
    "POST /api/organization/domains/[domainId]/check": { ok: 200 },
    "DELETE /api/organization/domains/[domainId]": { ok: 204 },
    "PUT /api/organization/settings": { ok: 204, body: () => ({ recordBodies: true }) },
    "PUT /api/organization/launch-rules": { ok: 204, body: () => ({ membersAsk: true }) },
    "GET /api/organization/audit/actors": { ok: 200 },
    "GET /api/organization/audit/export": { ok: 200, query: () => "format=csv" },
    "GET /api/organization/audit/verification": { ok: 200 },
    "GET /api/moderation/audit/actors": { ok: 200 },
    "GET /api/moderation/audit/export": { ok: 200, query: () => "format=jsonl" },
    "GET /api/moderation/audit/verification": { ok: 200 },
    "POST /api/moderation/isolation": { ok: 204 },
    "PUT /api/organization/profile": {
      ok: 204,
      body: () => ({ name: "Another name", description: "", website: "", supportAddress: "" }),
    },
    "GET /api/organization/members/export": { ok: 200, query: () => "format=json" },
    "PUT /api/organization/members/[memberId]/role": { ok: 204, body: () => ({ role: "operator" }) },
    "POST /api/organization/members/[memberId]/remove": { ok: 204, body: () => ({ revokeApiKeys: true }) },
    "POST /api/organization/leave": { ok: 204 },
    "POST /api/organization/invitations": {
      ok: 201,
      body: () => ({ role: "publisher", email: "eve@new.example" }),
    },
    "DELETE /api/organization/invitations/[invitationId]": { ok: 204 },
    "POST /api/organization/invitations/[invitationId]/renew": { ok: 201 },
    "POST /api/tenants": { ok: 201, body: () => core("another") },
    "POST /api/tenants/connection": { ok: 200, body: () => core("another") },
    "POST /api/tenants/sandbox": { ok: 200 },
    "PUT /api/tenants/[tenantId]": {
      ok: 200,
      at: { tenantId: "unusedTenantId" },
      body: () => core("renamed"),
    },
    "DELETE /api/tenants/[tenantId]": { ok: 204, at: { tenantId: "unusedTenantId" } },
    "POST /api/tenants/[tenantId]/connection": { ok: 200 },
    "POST /api/tenants/[tenantId]/core-credentials": { ok: 200, body: () => ({ overlap: "1h" }) },
    "DELETE /api/tenants/[tenantId]/core-credentials/[credentialId]": { ok: 204 },
    "POST /api/tenants/[tenantId]/products": { ok: 200 },
    "POST /api/configuration-checks": {
      ok: 201,
      named: true,
      body: ({ newerVersionId, unusedTenantId }) => ({
        for: "launch",
        versionId: newerVersionId,
        tenantId: unusedTenantId,
        settings: {
          region: { action: "set", value: "eu" },
          apiKey: { action: "set", value: "key" },
        },
        mappings: {},
      }),
      rule: (person) => (role(person) === "publisher" ? 403 : undefined),
    },
    "GET /api/configuration-checks/[checkId]": { ok: 200, rule: asked(200) },
    "DELETE /api/configuration-checks/[checkId]": { ok: 204, rule: asked(204) },
    "POST /api/installations": {
      ok: 201,
      named: true,
      body: ({ newerVersionId, unusedTenantId }) => ({
        versionId: newerVersionId,
        tenantId: unusedTenantId,
        settings: {
          region: { action: "set", value: "eu" },
          apiKey: { action: "set", value: "key" },
        },
        mappings: { "Personal Auto": { vin: "$.vin" } },
      }),
      rule: (person) => (role(person) === "publisher" ? 403 : undefined),
    },
    // Nobody needs to ask in an organization that doesn't want it.
    "POST /api/launch-requests": {
      ok: 409,
      named: true,
      body: ({ newerVersionId, unusedTenantId }) => ({
        versionId: newerVersionId,
        tenantId: unusedTenantId,
        note: "For renewals.",
      }),
      rule: (person) => (role(person) === "publisher" ? 403 : undefined),
    },
    "POST /api/launch-requests/[requestId]/decision": {
      ok: 204,
      body: () => ({ decision: "decline", note: "Not now." }),
    },
    "POST /api/launch-requests/[requestId]/withdrawal": { ok: 204, rule: asked(204) },
    // An owner allows what everyone sees, and removes what is on the organization's own list.
    "PUT /api/allowed-apps/[listingId]": { ok: 204, body: () => ({}), rule: linked(204) },
    "DELETE /api/allowed-apps/[listingId]": { ok: 204 },
    "POST /api/trials": {
      ok: 201,
      named: true,
      body: ({ newerVersionId }) => ({
        versionId: newerVersionId,
        settings: { region: { action: "set", value: "eu" }, apiKey: { action: "set", value: "key" } },
      }),
      // Everyone can try a public app, whoever publishes it.
      rule: linked(201),
    },
    "GET /api/installations/[installationId]": { ok: 200 },
    "POST /api/installations/[installationId]/stop": { ok: 204, rule: operated },
    "POST /api/installations/[installationId]/start": { ok: 204, at: atStopped, rule: operated },
    "POST /api/installations/[installationId]/start-again": { ok: 204, rule: operated },
    // Nobody is asked to accept their own organization's terms.
    "POST /api/installations/[installationId]/terms": {
      ok: 409,
      body: () => ({ url: "https://acme.example/terms", version: "1" }),
      rule: operated,
    },
    "POST /api/installations/[installationId]/uninstall": {
      ok: 204,
      body: () => ({ reason: "trial" }),
      rule: operated,
    },
    "GET /api/installations/[installationId]/configuration": { ok: 200 },
    "PUT /api/installations/[installationId]/configuration": {
      ok: 200,
      body: () => ({ ...nothing, revision: 1, settings: { note: { action: "set", value: "changed" } } }),
      rule: operated,
    },
    "POST /api/installations/[installationId]/revisions/[revision]/restore": {
      ok: 200,
      body: () => ({ revision: 1 }),
      rule: operated,
    },
    "PUT /api/installations/[installationId]/endpoints/[routeId]": {
      ok: 204,
      at: { routeId: "endpointId" },
      body: () => ({ open: true }),
      rule: operated,
    },
    "PUT /api/installations/[installationId]/hosts": {
      ok: 204,
      body: () => ({ host: "tiles.maps.example", refused: true }),
    },
    "POST /api/installations/[installationId]/route-base": { ok: 200, rule: operated },
    "POST /api/installations/[installationId]/webhook-secrets": {
      ok: 204,
      body: () => ({ overlap: "24h" }),
      rule: operated,
    },
    "POST /api/installations/[installationId]/webhook-secrets/reveal": { ok: 200, rule: operated },
    "GET /api/installations/[installationId]/webhook-secrets": { ok: 200 },
    "GET /api/installations/[installationId]/upgrade": { ok: 200 },
    "POST /api/installations/[installationId]/upgrade": {
      ok: 200,
      body: ({ newerVersionId }) => ({ ...nothing, revision: 1, versionId: newerVersionId }),
      rule: operated,
    },
    "POST /api/installations/[installationId]/upgrade/retry": { ok: 200, at: atStopped, rule: operated },
    "POST /api/installations/[installationId]/calls": {
      ok: 200,
      body: ({ routeId }) => ({ routeId, text: '{"operation":"newBusiness.create"}' }),
      rule: operated,
    },
    "GET /api/installations/[installationId]/recipients": { ok: 200, query: () => "event=policy.issued" },
    "GET /api/installations/[installationId]/samples": { ok: 200 },
    "GET /api/installations/[installationId]/sent-calls": { ok: 200 },
    "GET /api/deliveries/[deliveryId]": { ok: 200 },
    "POST /api/deliveries/replay": {
      ok: 200,
      named: true,
      body: ({ deliveryId }) => ({ deliveryIds: [deliveryId] }),
      // It says of how many nothing came, and not why.
      rule: (person, relation) => operated(person, relation) ?? 200,
    },
    "GET /api/calls": {
      ok: 200,
      named: true,
      query: ({ installationId }) => `installation=${installationId}`,
    },
    "GET /api/calls/chart": {
      ok: 200,
      named: true,
      query: ({ installationId }) => `installation=${installationId}`,
    },
    "GET /api/calls/export": { ok: 200, query: () => "format=csv" },
    "GET /api/calls/installations": { ok: 200 },
    "GET /api/calls/stream": {
      ok: 200,
      named: true,
      headers: { accept: "text/event-stream" },
      query: ({ installationId }) => `installation=${installationId}`,
    },
    "GET /api/calls/[attemptId]": { ok: 200 },
    "POST /api/calls/[attemptId]/log": { ok: 204 },
  };
}
