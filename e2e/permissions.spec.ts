/** P4, P5: every user × page or route handler × own, foreign or absent object, against the policy table, over HTTP. */
import type { APIRequestContext } from "@playwright/test";
import pg from "pg";
import { v7 } from "uuid";
import type { Actor } from "@/lib/domain/actor";
import { admit, PAGE_POLICY, ROUTE_POLICY, type RouteName } from "@/lib/domain/policy";
import { expect, signInSession, test } from "./fixtures";
import { readDatabaseUrl } from "./start-platform";

type Owner = "own" | "foreign" | "absent";
type Ids = Record<
  | "listingId"
  | "reviewId"
  | "commentId"
  | "apiKeyId"
  | "tenantId"
  | "credentialId"
  | "installationId"
  | "versionId"
  | "routeId"
  | "attemptId",
  string
>;

const person = { userId: "", sessionId: "", name: "", email: "", moderator: false };
const inOrganization = (role: "owner" | "publisher" | "operator"): Actor => ({
  ...person,
  organization: { id: "", slug: "", name: "", role },
});

const PEOPLE = {
  nobody: { actor: undefined, email: undefined },
  owner: { actor: inOrganization("owner"), email: "harbor@demo.example" },
  publisher: { actor: inOrganization("publisher"), email: "matrix-publisher@demo.example" },
  operator: { actor: inOrganization("operator"), email: "matrix-operator@demo.example" },
  moderator: { actor: { ...person, moderator: true }, email: "moderator@demo.example" },
} as const;

const settings = { settings: {}, mappings: {} };
/** Well-formed bodies, so that the result depends on the object alone. */
const BODIES: Partial<Record<RouteName, (ids: Ids) => object>> = {
  "POST /api/listings/[listingId]/reviews": ({ versionId }) => ({ versionId }),
  "PUT /api/listings/[listingId]/manifest": () => ({ text: "{}", revision: 0, baseVersionId: null }),
  "POST /api/listings/[listingId]/manifest/release": () => ({ revision: 1 }),
  "POST /api/reviews/[reviewId]/decision": () => ({ decision: "return", note: "Matrix" }),
  "POST /api/reviews/[reviewId]/comments": () => ({ body: "Matrix" }),
  "PUT /api/reviews/[reviewId]/comments/[commentId]": () => ({ body: "Matrix" }),
  "PUT /api/reviews/[reviewId]/comments/[commentId]/resolution": () => ({ resolved: true }),
  "PUT /api/tenants/[tenantId]": () => ({
    name: "Matrix",
    hostName: "matrix.core.example",
    coreApiUrl: "http://127.0.0.1:9",
  }),
  "POST /api/installations": ({ versionId, tenantId }) => ({ versionId, tenantId, test: true, ...settings }),
  "POST /api/installations/[installationId]/calls": () => ({ routeId: v7(), payload: {} }),
  // A revision that does not exist: stale for an own installation, 404 for others.
  "PUT /api/installations/[installationId]/configuration": () => ({
    revision: 99,
    settings: {},
    mappings: {},
  }),
  "POST /api/installations/[installationId]/revisions/[revision]/restore": () => ({ revision: 99 }),
  "PUT /api/installations/[installationId]/endpoints/[routeId]": () => ({ open: false }),
  "POST /api/installations/[installationId]/upgrade": ({ versionId }) => ({
    versionId,
    revision: 99,
    settings: {},
    mappings: {},
  }),
};

/** These would change the demo if they succeeded, so the matrix leaves out the cells that are admitted on own objects. */
const UNSAFE =
  /DELETE|\/(stop|start|uninstall|route-base|webhook-secrets|reveal)$|products$|tenants\/(sandbox|connection)$|core-credentials$/;
/** Publishers operate only Test Launches, and the demo's installations are not Test Launches. */
const OPERATES = /^(PUT|POST) .*\/(configuration|restore|upgrade|retry|endpoints\/\[routeId\])$/;
const OPEN = new Set<RouteName>([
  "GET /api/auth/[...nextauth]",
  "POST /api/auth/[...nextauth]",
  "GET /state/[key]",
  "POST /api/sign-up",
  "POST /api/sign-up/confirm",
  "POST /api/forgot-password",
  "POST /api/new-password",
  "POST /api/confirm-email",
]);

/** These would end the person's sessions or membership, whatever they are asked about. */
const ENDING = new Set<RouteName>([
  "POST /api/sign-out",
  "DELETE /api/account/sessions",
  "POST /api/organization/leave",
]);

/** How the framework requests a page in the background, and a header that once bypassed its middleware. */
const BACK_DOORS: Record<string, string>[] = [
  { rsc: "1" },
  { rsc: "1", "next-router-prefetch": "1" },
  { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
];

test("permissions: every cell of the policy table", async ({ platform, playwright }) => {
  test.setTimeout(300_000);
  const database = new pg.Client({ connectionString: await readDatabaseUrl(platform) });
  await database.connect();
  await insertMembers(database);
  const objects: Record<Owner, Ids> = {
    own: await readIds(database, "harbor-mutual"),
    foreign: await readIds(database, "alpine-insurance"),
    absent: {
      listingId: v7(),
      reviewId: v7(),
      commentId: v7(),
      apiKeyId: v7(),
      tenantId: v7(),
      installationId: v7(),
      versionId: v7(),
      routeId: v7(),
      credentialId: v7(),
      attemptId: v7(),
    },
  };
  await database.end();

  let cells = 0;
  for (const [who, { actor, email }] of Object.entries(PEOPLE)) {
    const session = await signInSession(playwright, platform.webUrl, email);
    for (const [name, audience] of Object.entries(ROUTE_POLICY)) {
      if (!isRoute(name) || OPEN.has(name)) continue;
      const admission = admit(audience, actor);
      const seen = new Map<Owner, string>();
      for (const owner of ["own", "foreign", "absent"] as const) {
        if (admission === "admitted" && owner === "own" && UNSAFE.test(name)) continue;
        if (ENDING.has(name) && actor !== undefined) continue;
        const answer = await ask(session, name, objects[owner]);
        const text = await answer.text();
        const where = `${who}: ${name} on ${owner}: ${answer.status()} ${text}`;
        if (admission === "not-signed-in") expect(answer.status(), where).toBe(401);
        else if (admission === "not-allowed") expect(answer.status(), where).toBe(403);
        else if (who === "publisher" && owner === "own" && OPERATES.test(name))
          expect(answer.status(), where).toBe(403);
        else expect([401, 403, 500], where).not.toContain(answer.status());
        seen.set(owner, `${answer.status()} ${text}`);
        cells += 1;
      }
      if (
        admission === "admitted" &&
        name.includes("Id]") &&
        // Moderators see the reviews and listings of every organization.
        who !== "moderator"
      ) {
        expect(seen.get("foreign"), `${who}: ${name}`).toBe(seen.get("absent"));
        // A body is checked before the object that it is for.
        const hasBody = name.startsWith("GET ") || BODIES[name] !== undefined;
        expect(seen.get("foreign"), `${who}: ${name}`).toMatch(hasBody ? /^404/ : /^(400|404)/);
      }
    }
    cells += await askPages(session, who, actor, objects);
    await session.dispose();
  }
  console.log(`figure policy_matrix_cells ${cells} cells`);
  expect(cells).toBeGreaterThan(200);
});

function isRoute(name: string): name is RouteName {
  return name in ROUTE_POLICY;
}

function ask(session: APIRequestContext, name: RouteName, ids: Ids) {
  const [method = "", path = ""] = name.split(" ");
  const address = path.replace(/\[(\w+)\]/g, (_match, key: keyof Ids) => ids[key]);
  const data = method === "GET" ? undefined : (BODIES[name]?.(ids) ?? {});
  return session.fetch(address, { method, data });
}

/** Pages, requested directly and as the router requests them in the background: neither may reveal more than the other. */
async function askPages(
  session: APIRequestContext,
  who: string,
  actor: Actor | undefined,
  objects: Record<Owner, Ids>,
): Promise<number> {
  let cells = 0;
  for (const [path, audience] of Object.entries(PAGE_POLICY)) {
    const admission = admit(audience, actor);
    for (const owner of /\[(installation|attempt)Id\]/.test(path)
      ? (["own", "foreign", "absent"] as const)
      : (["own"] as const)) {
      const address = path
        .replace("[organization]", "acme")
        .replace("[app]", "vin-autofill")
        .replace(/\[(\w+)\]/g, (_match, key: keyof Ids) => objects[owner][key]);
      const plain = await session.get(address);
      const where = `${who}: page ${address} (${owner}): ${plain.status()}`;
      if (admission === "not-signed-in") expect(plain.status(), where).toBe(307);
      if (admission === "not-allowed") expect(plain.status(), where).toBe(404);
      if (admission === "admitted" && owner !== "own") expect(plain.status(), where).toBe(404);
      for (const headers of BACK_DOORS) {
        const answer = await session.get(`${address}?_rsc=matrix`, { headers });
        const text = await answer.text();
        if (admission !== "admitted" || owner !== "own") {
          expect(text, `${where} with ${JSON.stringify(headers)}`).not.toMatch(
            /alpine-insurance\.core\.example|routeId/i,
          );
        }
        cells += 1;
      }
      cells += 1;
    }
  }
  return cells;
}

/** Two more members of the customer's organization, with the owner's password. No page invites members yet. */
async function insertMembers(database: pg.Client): Promise<void> {
  for (const role of ["publisher", "operator"]) {
    const userId = v7();
    await database.query(
      `insert into users (id, email, name, password_hash)
       select $1, $2, $3, password_hash from users where email = 'harbor@demo.example'`,
      [userId, `matrix-${role}@demo.example`, role],
    );
    await database.query(
      "insert into memberships (organization_id, user_id, role) select id, $1, $2 from organizations where slug = 'harbor-mutual'",
      [userId, role],
    );
  }
}

async function readIds(database: pg.Client, slug: string): Promise<Ids> {
  const first = async (text: string, values: unknown[] = [slug]) =>
    (await database.query<{ id: string }>(text, values)).rows[0]?.id ?? v7();
  return {
    installationId: await first(
      "select i.id from installations i join organizations o on o.id = i.organization_id where o.slug = $1 order by i.id limit 1",
    ),
    attemptId: await first(
      "select a.id from attempts a join organizations o on o.id = a.organization_id where o.slug = $1 order by a.id limit 1",
    ),
    tenantId: await first(
      "select t.id from tenants t join organizations o on o.id = t.organization_id where o.slug = $1 limit 1",
    ),
    credentialId: await first(
      "select c.id from core_credentials c join tenants t on t.id = c.tenant_id join organizations o on o.id = t.organization_id where o.slug = $1 limit 1",
    ),
    // Listings, versions, reviews and API keys belong to a publisher, so they are foreign to both customers.
    listingId: await first("select id from listings limit 1", []),
    versionId: await first("select id from versions limit 1", []),
    reviewId: await first("select id from reviews limit 1", []),
    // The demo has no comments.
    commentId: v7(),
    apiKeyId: await first("select id from api_keys limit 1", []),
    // No such endpoint, so that nobody opens one of the demo's.
    routeId: v7(),
  };
}
