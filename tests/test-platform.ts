import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { v7 } from "uuid";
import { afterAll, beforeEach, inject } from "vitest";
import * as organizationTables from "@/drizzle/schema/accounts";
import { routes } from "@/drizzle/schema/calls";
import * as listingTables from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { configurations } from "@/drizzle/schema/installations-configurations";
import * as tenantTables from "@/drizzle/schema/installations-tenants";
import { type LaunchInput, type StateRecord, stateRecord } from "@/lib/contract/catalog/configuration";
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { ListingText } from "@/lib/contract/catalog/listing";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import type { Role } from "@/lib/contract/platform/role";
import type { Member } from "@/lib/domain/platform/actor";
import { serveState } from "@/lib/server/calls/serve-state";
import { sqlStateOf } from "@/lib/server/platform/database/connect";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import type { Foundation, Platform } from "@/lib/server/platform/platform";
import { closePlatform, createPlatform, createServices } from "@/lib/server/surface/create-platform";
import { TEMPLATE } from "./start-database";

const DEADLOCK = "40P01";

/** A Platform with a database for this test file, emptied before each test. Call it once, at the top of the file. */
export async function testPlatform(overrides: Record<string, string> = {}): Promise<Platform> {
  const server = inject("databaseServer");
  const name = `test_${v7().replaceAll("-", "")}`;
  await administer(server, `create database ${name} template ${TEMPLATE}`);
  const dataDir = await mkdtemp(path.join(tmpdir(), "platform-data-"));
  const environment = readEnvironment({
    NODE_ENV: "test",
    DATABASE_URL: `${server}/${name}`,
    PLATFORM_MASTER_KEYS: newMasterKey("test"),
    PLATFORM_DATA_DIR: dataDir,
    PLATFORM_LOG_LEVEL: "silent",
    PLATFORM_PRIVATE_CORES: "1",
    ...overrides,
  });
  const platform = createPlatform(environment, "test");
  beforeEach(() => emptyTables(platform));
  afterAll(async () => {
    await closePlatform(platform);
    await administer(server, `drop database ${name} with (force)`);
    await rm(dataDir, { recursive: true, force: true });
  });
  return platform;
}

/** The same platform in another process, which remembers nothing of this one. */
export function anotherProcess(platform: Platform, changes: Partial<Foundation> = {}): Platform {
  const foundation = { ...platform, ...changes };
  return { ...foundation, services: createServices(foundation) };
}

/** What an app gets for a state key now. Gateways answer again what they answered within the last half second. */
export async function readState(platform: Platform, key: string): Promise<StateRecord> {
  platform.services.stateAnswers.clear();
  return stateRecord.parse(JSON.parse(await serveState(platform, key)));
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Deleting few rows is much cheaper than truncating, which gives each table and index new files. */
async function emptyTables(platform: Platform): Promise<void> {
  // A table without a page never had a row: most tests of a file write to few tables.
  const { rows } = await platform.pool.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`,
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name);
  // Sent together, they are one transaction.
  const statements = [
    // Without triggers, foreign keys demand no order. The lock keeps out rows that refer to deleted ones.
    "set local session_replication_role = replica",
    `lock table ${names.join(", ")} in exclusive mode`,
    ...names.map((name) => `delete from ${name}`),
  ].join(";");
  // Work that a test left running, such as recording a state read, may take its locks in another order.
  await platform.pool.query(statements).catch((error: unknown) => {
    if (sqlStateOf(error) !== DEADLOCK) throw error;
    return platform.pool.query(statements);
  });
}

/** An organization with one member. */
export async function givenMember(platform: Platform, slug = "acme", role: Role = "owner"): Promise<Member> {
  const { organizations, users, memberships, sessions } = organizationTables;
  const [organization] = await platform.db
    .insert(organizations)
    .values({ slug, name: slug })
    .onConflictDoNothing()
    .returning();
  const organizationId =
    organization?.id ??
    (await platform.pool.query<{ id: string }>("select id from organizations where slug = $1", [slug]))
      .rows[0]?.id;
  if (organizationId === undefined) throw new Error("no organization");
  const email = `${v7()}@${slug}.example`;
  const user = one(
    await platform.db
      .insert(users)
      .values({ email, name: `${role} of ${slug}`, passwordHash: "-" })
      .returning(),
  );
  await platform.db.insert(memberships).values({ organizationId, userId: user.id, role });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const session = one(
    await platform.db.insert(sessions).values({ userId: user.id, organizationId, expiresAt }).returning(),
  );
  return {
    userId: user.id,
    sessionId: session.id,
    name: user.name,
    email,
    moderator: false,
    organization: { id: organizationId, slug, name: slug, role },
  };
}

export const SAMPLE_MANIFEST: Manifest = {
  name: "acme/vin-lookup",
  version: "1.4.0",
  app: {
    fields: [
      {
        name: "region",
        title: "Region",
        type: "Select",
        required: true,
        values: [
          { text: "Europe", value: "eu" },
          { text: "America", value: "us" },
        ],
      },
      { name: "apiKey", title: "Provider key", type: "Password", required: true },
      { name: "note", title: "Note", type: "Text" },
    ],
  },
  core: {
    fields: [{ name: "vin", title: "VIN field", required: true }],
    webhooks: [{ path: "/events", events: ["policy.issued"] }],
    autofill: [{ path: "/autofill", operations: ["newBusiness.*"] }],
    externalRaters: [{ name: "Telematics", path: "/rate" }],
    lifecycle: ["install", "uninstall", "start", "stop"],
  },
};

export const SAMPLE_TEXT: ListingText = {
  title: "VIN lookup",
  tagline: "",
  category: "other",
  about: { product: "Looks up a VIN.", company: "", offering: "" },
  requirements: { technicalDetails: "", launchInstructions: "", complianceDetails: "" },
  links: { support: "", privacy: "", website: "" },
  terms: { url: "", version: "" },
  privacy: null,
  icon: null,
  screenshots: [],
};

/** Where `givenOfferedApp` is in the marketplace. */
export const SAMPLE_APP = { organization: "acme", app: "vin-lookup" };

/** Answers for `SAMPLE_MANIFEST` that are enough for a launch. */
export const SAMPLE_ANSWERS = {
  settings: { region: { action: "set", value: "eu" }, apiKey: { action: "set", value: "key" } },
  mappings: { "Personal Auto": { vin: "$.vin" } },
} satisfies Pick<LaunchInput, "settings" | "mappings">;

/** A listing of `publisher`'s organization with one version of `SAMPLE_MANIFEST` (or yours). */
export async function givenListing(
  platform: Platform,
  publisher: Member,
  options: {
    state?: "DRAFT" | "PUBLIC" | "SUSPENDED" | "RETIRED";
    verified?: boolean;
    manifest?: Manifest;
    appName?: string;
  } = {},
) {
  const appName = options.appName ?? "vin-lookup";
  const manifest = {
    ...(options.manifest ?? SAMPLE_MANIFEST),
    name: `${publisher.organization.slug}/${appName}`,
  };
  const listing = one(
    await platform.db
      .insert(listingTables.listings)
      .values({
        organizationId: publisher.organization.id,
        appName,
        ...SAMPLE_TEXT,
        state: options.state ?? "DRAFT",
      })
      .returning(),
  );
  const version = one(
    await platform.db
      .insert(listingTables.versions)
      .values({
        listingId: listing.id,
        number: manifest.version,
        manifest,
        manifestText: JSON.stringify(manifest, null, 2),
        imageManifestText: JSON.stringify(manifest, null, 2),
        imageDigest: `sha256:${"a".repeat(64)}`,
        archiveDigest: `sha256:${"b".repeat(64)}`,
        archiveBytes: 1,
        publishedBy: "api-key:test",
        verifiedAt: options.verified === true ? new Date() : null,
      })
      .returning(),
  );
  return { listing, version };
}

type Version = typeof listingTables.versions.$inferSelect;

/** The same version again, published now with another number, and other things that you change. */
export async function givenVersion(
  platform: Platform,
  version: Version,
  number: string,
  changes: Partial<Version> = {},
): Promise<Version> {
  const { manifest } = changes;
  const text = manifest && { manifestText: JSON.stringify(manifest, null, 2) };
  const row = { ...version, id: v7(), number, createdAt: new Date(), ...text, ...changes };
  return one(await platform.db.insert(listingTables.versions).values(row).returning());
}

/** A tenant of `customer`'s organization with one product. */
export async function givenTenant(
  platform: Platform,
  customer: Member,
  hostName = `${customer.organization.slug}.core.example`,
  name = "Production",
) {
  const tenant = one(
    await platform.db
      .insert(tenantTables.tenants)
      .values({
        organizationId: customer.organization.id,
        name,
        hostName,
        coreApiUrl: "http://127.0.0.1:9/tenants/x",
      })
      .returning(),
  );
  const product = one(
    await platform.db
      .insert(tenantTables.products)
      .values({
        tenantId: tenant.id,
        name: "Personal Auto",
        schema: { type: "object", properties: { vin: { type: "string" } } },
      })
      .returning(),
  );
  return { tenant, product };
}

/** Lets the tenant's core sign in with this credential. */
export async function givenCredential(
  platform: Platform,
  tenantId: string,
  credential: string,
): Promise<void> {
  const hash = createHash("sha256").update(credential).digest("hex");
  await platform.db.insert(tenantTables.coreCredentials).values({ tenantId, hash });
}

/** A running installation with its configuration and one route of each kind; no instance behind it. */
export async function givenInstallation(
  platform: Platform,
  customer: Member,
  version: { id: string; listingId: string; manifest: Manifest },
  tenantId: string,
) {
  const installation = one(
    await platform.db
      .insert(installations)
      .values({
        organizationId: customer.organization.id,
        tenantId,
        listingId: version.listingId,
        versionId: version.id,
        state: "RUNNING",
        createdBy: customer.userId,
      })
      .returning(),
  );
  await platform.db.insert(configurations).values({
    installationId: installation.id,
    revision: 1,
    versionId: version.id,
    settings: { region: { kind: "plain", value: "eu" } },
    mappings: [{ productName: "Personal Auto", fields: { vin: "$.vin" } }],
    createdBy: customer.userId,
  });
  const routeRows = await platform.db
    .insert(routes)
    .values([
      { installationId: installation.id, kind: "webhook", path: "/events", patterns: ["policy.issued"] },
      { installationId: installation.id, kind: "autofill", path: "/autofill", patterns: ["newBusiness.*"] },
      { installationId: installation.id, kind: "rater", path: "/rate", name: "Telematics" },
      { installationId: installation.id, kind: "lifecycle", path: "/_app" },
    ])
    .returning();
  const route = (kind: RouteKind) => one(routeRows.filter((each) => each.kind === kind));
  return { installation, routes: routeRows, route };
}

interface Offer {
  /** Of the customer's organization. */
  slug?: string;
  role?: Role;
  manifest?: Manifest;
}

/** A publisher's verified app, and a customer with a tenant to launch it for. */
export async function givenOfferedApp(platform: Platform, { slug = "harbor", role, manifest }: Offer = {}) {
  const publisher = await givenMember(platform, "acme");
  const customer = await givenMember(platform, slug, role);
  const offered = await givenListing(platform, publisher, { state: "PUBLIC", verified: true, manifest });
  const { tenant } = await givenTenant(platform, customer);
  return { publisher, customer, ...offered, tenant };
}

/** A publisher's verified app, which a customer has installed; no instance runs behind it. */
export async function givenInstalledApp(platform: Platform, offer: Offer = {}) {
  const offered = await givenOfferedApp(platform, offer);
  const { customer, version, tenant } = offered;
  return { ...offered, ...(await givenInstallation(platform, customer, version, tenant.id)) };
}

export function one<Row>(rows: Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error("expected a row");
  return row;
}
