/** Which test covers each hostile input. Renaming or removing one of those tests fails this one. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const SESSIONS = "lib/server/surface/web/hostile-sessions.test.ts";
const REQUESTS = "tests/matrix/hostile-requests.test.ts";
const GATEWAY = "gateway/gateway.test.ts";
const API_KEYS = "lib/server/accounts/credentials/api-keys.test.ts";
const STATE_KEYS = "lib/server/platform/state-key.test.ts";
const LIMITS = "lib/server/accounts/count-tries.test.ts";
const IMAGES = "lib/server/catalog/encode-picture.test.ts";
const MARKETPLACE = "lib/server/catalog/marketplace.test.ts";

const PAGES = "permissions: every cell of the policy table's pages, however they are asked for";

/** What is sent; the file of the test, and its name as it is in the file. */
const TABLE: readonly [input: string, file: string, name: string][] = [
  // Keys and sessions
  ["an expired API key", API_KEYS, "an expired key is refused like a wrong one, by the database's clock"],
  ["a revoked API key", API_KEYS, "a revoked key is refused"],
  [
    "foreign, malformed and enormous API keys",
    API_KEYS,
    "absent, malformed, unknown, wrong and enormous credentials look the same",
  ],
  [
    "every key at every route",
    "tests/matrix/gateway.test.ts",
    "every gateway route answers every credential about every object as the policy table says",
  ],
  ["an expired state key", STATE_KEYS, "an expired key opens nothing"],
  [
    "foreign and malformed state keys",
    STATE_KEYS,
    "a changed, truncated, foreign or malformed key opens nothing",
  ],
  ["state keys of a megabyte, with encoded slashes", GATEWAY, "all invalid keys look the same"],
  ["credentials of a megabyte", GATEWAY, "a credential of a megabyte is refused before it is looked up"],
  ["encoded slashes in the names of apps", GATEWAY, "an encoded slash names no other app"],
  ["encoded slashes in paths of apps", "gateway/endpoint-access.test.ts", "/callbacks/..%2fhealth"],
  [
    "encoded slashes, NUL and a megabyte in paths of pages' handlers",
    REQUESTS,
    "every hostile path is absent",
  ],
  ["a planted session", SESSIONS, "signing in opens a new session and ends the one that the browser had"],
  ["a cookie after sign-out or after the role is gone", SESSIONS, "a copied cookie ends with its session"],
  [
    "a role that is gone, at the next request",
    "lib/server/accounts/members.test.ts",
    "a changed role applies at the next request, and the person is notified",
  ],
  [
    "a page of an organization that its user left",
    "lib/server/surface/web/check-organization.test.ts",
    "a page whose user was removed and now works %s is refused with the reason",
  ],
  ["cross-site forms to sign in or out", SESSIONS, "a form from %s is refused"],
  [
    "cross-site forms and Origin: null to everything else",
    REQUESTS,
    "every change from another origin is refused, and changes nothing",
  ],
  [
    "text/plain JSON to pages' handlers",
    REQUESTS,
    "every body that is not sent as JSON is refused, and changes nothing",
  ],
  ["text/plain JSON to the gateway", GATEWAY, "text/plain JSON"],
  [
    "TRACE to pages",
    "lib/server/surface/web/refuse-method.test.ts",
    "TRACE is answered with 405 and a problem",
  ],
  ["TRACE to the gateway", GATEWAY, "TRACE is refused on every route"],
  ["callbackUrl elsewhere, at sign-in", SESSIONS, "signing in with the destination %j stays on the platform"],
  [
    "callbackUrl elsewhere, at every address of next-auth",
    "lib/server/surface/web/sign-in-callback.test.ts",
    "the callbackUrl %j is ignored",
  ],
  [
    "callbackUrl elsewhere, in pages",
    "lib/domain/accounts/sign-in.test.ts",
    "sign-in never redirects to another origin",
  ],
  ["JWTs as session cookies: none, another algorithm, another key, expired", SESSIONS, "%s opens no session"],
  [
    "JWTs of an issuer: none, another algorithm, audience, issuer, nonce",
    "lib/server/surface/web/oidc.test.ts",
    "a token %s is refused",
  ],
  ["JWTs to the core: none, another audience", "examples/core.test.ts", 'alg: "none"'],
  ["parallel guesses", LIMITS, "of 60 guesses at the same time in two processes, 10 are checked"],
  ["sprayed addresses", LIMITS, "of 60 sprayed addresses, 30 are checked"],
  ["sign-ups in bulk", LIMITS, "of 40 sign-ups from a network, 30 are accepted"],
  [
    "locking out an owner on purpose",
    LIMITS,
    "ten wrong passwords from a network don't lock the owner out elsewhere",
  ],
  [
    "the last owner leaving",
    "lib/server/accounts/members.test.ts",
    "the last owner can't leave, be removed or be demoted, and nothing is recorded",
  ],
  [
    "a moderator approving an own listing",
    "lib/server/moderation/decide-review.test.ts",
    "a moderator can't decide on a listing of any organization they belong to",
  ],
  ['sort=id";drop in the marketplace', MARKETPLACE, "a search for %j answers, and changes nothing"],
  ['sort=id";drop in the queue', "lib/server/moderation/list-reviews.test.ts", `sort: 'id";drop'`],
  [
    'sort=id";drop in every other read',
    REQUESTS,
    "every read answers hostile queries, and no query is an error of ours",
  ],
  [
    "forged X-Forwarded-For",
    "lib/server/platform/requests/read-request.test.ts",
    "without a proxy, X-Forwarded-For %j is ignored",
  ],
  ["forged X-Forwarded-Host and the framework's own headers", "e2e/permissions.spec.ts", PAGES],
  // Markdown, pictures, names, links and search terms
  [
    "Markdown with scripts, HTML, pictures and links to scripts",
    "components/catalog/marketplace/listing-view.browser.test.tsx",
    "hostile Markdown is inert",
  ],
  [
    "Markdown that is nested thousands of times",
    "components/catalog/marketplace/markdown.test.tsx",
    "%s is drawn",
  ],
  [
    "Markdown in comments",
    "components/moderation/review-comments.browser.test.tsx",
    "raw HTML and links to scripts are text",
  ],
  ["SVG, polyglots and files that are no pictures", IMAGES, "refuses %s"],
  [
    "pictures that unpack to gigabytes",
    IMAGES,
    "refuses pictures that unpack to more pixels than the limit, before they are unpacked",
  ],
  [
    "EXIF, and what follows a picture",
    IMAGES,
    "drops EXIF with its place, the color profile, and what follows the picture",
  ],
  [
    "pictures of many megabytes",
    "lib/server/catalog/pictures.test.ts",
    "a file over 5 MiB is refused while it arrives, and an unknown use at once",
  ],
  [
    "pictures of others",
    "lib/server/catalog/listing-text.test.ts",
    "a text shows only pictures that its organization uploaded",
  ],
  [
    "names in the social image that fetch",
    "lib/server/catalog/social-image.test.ts",
    "drawing fetches nothing, whatever the names contain",
  ],
  [
    "names that end a script in structured data",
    "lib/domain/catalog/describe-app.test.ts",
    "</script><script>alert(1)</script>",
  ],
  ["names with direction marks", "components/catalog/marketplace/listing-view.browser.test.tsx", "U+202E"],
  [
    "links to scripts, other protocols and look-alikes",
    "lib/contract/catalog/link.test.ts",
    "javascript:alert(1)",
  ],
  ["search terms", MARKETPLACE, "a search for %j answers, and changes nothing"],
  ["cursors", MARKETPLACE, "the cursor %j starts at the first page"],
];

test.each(TABLE)("%s: a test shows it", (_input, file, name) => {
  expect(readFileSync(path.resolve(file), "utf8")).toContain(name);
});
