/** Migrations that fill new columns from rows of earlier releases. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { v7 } from "uuid";
import { expect, inject, test } from "vitest";
import { dueDate } from "@/lib/domain/review-queue";

const FOLDER = path.join(import.meta.dirname, "migrations");
const files = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".sql"))
  .sort();

async function apply(client: pg.Client, names: string[]): Promise<void> {
  for (const name of names)
    for (const statement of readFileSync(path.join(FOLDER, name), "utf8").split("--> statement-breakpoint"))
      await client.query(statement);
}

/** Runs `check` on a database that one migration found as an earlier release left it. */
async function migrateExisting(
  migration: string,
  given: (client: pg.Client) => Promise<void>,
  check: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const server = inject("databaseServer");
  const database = `test_${v7().replaceAll("-", "")}`;
  const administrator = new pg.Client({ connectionString: `${server}/postgres` });
  await administrator.connect();
  await administrator.query(`create database ${database}`);
  const client = new pg.Client({ connectionString: `${server}/${database}` });
  await client.connect();
  try {
    const at = files.findIndex((file) => file.endsWith(`_${migration}.sql`));
    await apply(client, files.slice(0, at));
    await given(client);
    await apply(client, files.slice(at));
    await check(client);
  } finally {
    await client.end();
    await administrator.query(`drop database ${database} with (force)`);
    await administrator.end();
  }
}

type Row = [string, unknown[]];

async function insertRows(client: pg.Client, rows: Row[]): Promise<void> {
  for (const [statement, values] of rows) await client.query(`insert into ${statement}`, values);
}

/** An installation, and what it needs, as the releases since "versions_search_tenants" have it. */
function rowsOfInstallation({
  organization,
  installation,
}: Record<"organization" | "installation", string>): Row[] {
  const [user, listing, version, tenant] = Array.from({ length: 4 }, () => v7());
  return [
    ["organizations (id, slug, name) values ($1, 'acme', 'Acme')", [organization]],
    ["users (id, email, name, password_hash) values ($1, 'a@acme.example', 'A', '-')", [user]],
    [
      "listings (id, organization_id, app_name, title, about, requirements) values ($1, $2, 'vin', 'VIN', '{}', '{}')",
      [listing, organization],
    ],
    [
      `versions (id, listing_id, number, manifest, manifest_text, image_manifest_text, image_digest, archive_digest, archive_bytes, published_by)
       values ($1, $2, '1.0.0', '{}', '{}', '{}', 'image', 'archive', 1, 'user:x')`,
      [version, listing],
    ],
    [
      "tenants (id, organization_id, name, host_name, core_api_url, core_credential_hash) values ($1, $2, 'T', 't.example', 'http://x', 'x')",
      [tenant, organization],
    ],
    [
      "installations (id, organization_id, tenant_id, listing_id, version_id, created_by) values ($1, $2, $3, $4, $5, $6)",
      [installation, organization, tenant, listing, version, user],
    ],
  ];
}

// Guarantee: an update loses no tenant, and reviews show the manifest that the image really has.
test("earlier versions get their image's manifest, and tenants that share a host name keep it", async () => {
  const [organization, listing] = [v7(), v7()];
  const tenant = (name: string, host: string) => [v7(), organization, name, host, name];
  await migrateExisting(
    "versions_search_tenants",
    async (client) => {
      await client.query("insert into organizations (id, slug, name) values ($1, 'acme', 'Acme')", [
        organization,
      ]);
      await client.query(
        "insert into listings (id, organization_id, app_name, title, about, requirements) values ($1, $2, 'vin', 'VIN', '{}', '{}')",
        [listing, organization],
      );
      for (const [number, archive] of [
        ["1.0.0", "one"],
        ["1.1.0", "one"],
        ["1.2.0", "two"],
      ])
        await client.query(
          `insert into versions (id, listing_id, number, manifest, manifest_text, image_digest, archive_digest, archive_bytes, published_by)
           values ($1, $2, $3, '{}', $4, 'image', $5, 1, 'user:x')`,
          [v7(), listing, number, `text of ${number}`, archive],
        );
      for (const row of [tenant("First", "core.example"), tenant("Second", "CORE.example")])
        await client.query(
          "insert into tenants (id, organization_id, name, host_name, core_api_url, core_credential_hash) values ($1, $2, $3, $4, 'http://x', $5)",
          row,
        );
    },
    async (client) => {
      const versions = await client.query(
        "select number, image_manifest_text as text from versions order by number",
      );
      expect(versions.rows).toEqual([
        { number: "1.0.0", text: "text of 1.0.0" },
        { number: "1.1.0", text: "text of 1.0.0" },
        { number: "1.2.0", text: "text of 1.2.0" },
      ]);
      const tenants = await client.query("select name, shares_host as shared from tenants order by name");
      expect(tenants.rows).toEqual([
        { name: "First", shared: false },
        { name: "Second", shared: true },
      ]);
    },
  );
});

// Guarantee: an update keeps the URL that apps registered with third parties, opens nothing, and loses no event.
test("installations keep the address that their hooks received, and events their content", async () => {
  const [organization, user, listing, version, tenant, installation, route, event] = Array.from(
    { length: 8 },
    () => v7(),
  );
  await migrateExisting(
    "endpoints",
    async (client) => {
      const rows: [string, unknown[]][] = [
        ["organizations (id, slug, name) values ($1, 'acme', 'Acme')", [organization]],
        ["users (id, email, name, password_hash) values ($1, 'a@acme.example', 'A', '-')", [user]],
        [
          "listings (id, organization_id, app_name, title, about, requirements) values ($1, $2, 'vin', 'VIN', '{}', '{}')",
          [listing, organization],
        ],
        [
          `versions (id, listing_id, number, manifest, manifest_text, image_digest, archive_digest, archive_bytes, published_by)
           values ($1, $2, '1.0.0', '{}', '{}', 'image', 'archive', 1, 'user:x')`,
          [version, listing],
        ],
        [
          "tenants (id, organization_id, name, host_name, core_api_url, core_credential_hash) values ($1, $2, 'T', 't.example', 'http://x', 'x')",
          [tenant, organization],
        ],
        [
          "installations (id, organization_id, tenant_id, listing_id, version_id, created_by) values ($1, $2, $3, $4, $5, $6)",
          [installation, organization, tenant, listing, version, user],
        ],
        [
          "routes (id, installation_id, kind, path) values ($1, $2, 'lifecycle', '/_app')",
          [route, installation],
        ],
        [
          `events (id, tenant_id, event_id, type, body) values ($1, $2, 'e1', 'policy.issued', '{"id":"e1"}')`,
          [event, tenant],
        ],
      ];
      for (const [statement, values] of rows) await client.query(`insert into ${statement}`, values);
      // As the migrator does: all or nothing.
      await client.query("begin");
    },
    async (client) => {
      await client.query("commit");
      const found = await client.query("select route_base from installations");
      expect(found.rows).toEqual([{ route_base: route }]);
      const events = await client.query<{ body: string; hash: string }>(
        "select body, body_hash as hash from events",
      );
      expect(events.rows.map(({ body }): unknown => JSON.parse(body))).toEqual([{ id: "e1" }]);
      const [event] = events.rows;
      expect(event?.hash).toBe(
        createHash("sha256")
          .update(event?.body ?? "")
          .digest("hex"),
      );
      // The core's credential works as before.
      const credentials = await client.query("select tenant_id, hash, expires_at from core_credentials");
      expect(credentials.rows).toEqual([{ tenant_id: tenant, hash: "x", expires_at: null }]);
    },
  );
});

// Guarantee: an update loses no state read of an earlier call.
test("calls keep how often, when and what they read, and calls without a read get none", async () => {
  const ids = { organization: v7(), installation: v7() };
  const [route, read, unread] = Array.from({ length: 3 }, () => v7());
  const attempt =
    "attempts (id, installation_id, route_id, kind, target, state_reads, state_read_at, state_revision)";
  await migrateExisting(
    "attempt_state_reads",
    async (client) => {
      await insertRows(client, rowsOfInstallation(ids));
      await insertRows(client, [
        [
          "routes (id, installation_id, kind, path) values ($1, $2, 'autofill', '/a')",
          [route, ids.installation],
        ],
        [
          `${attempt} values ($1, $2, $3, 'autofill', 'POST /a', 3, '2026-11-01T10:00:00Z', 2)`,
          [read, ids.installation, route],
        ],
        [
          `${attempt} values ($1, $2, $3, 'autofill', 'POST /a', 0, null, null)`,
          [unread, ids.installation, route],
        ],
      ]);
    },
    async (client) => {
      const found = await client.query("select * from attempt_state_reads");
      const at = new Date("2026-11-01T10:00:00Z");
      const moments = { first_read_at: at, last_read_at: at };
      expect(found.rows).toEqual([{ attempt_id: read, count: 3, revision: 2, ...moments }]);
    },
  );
});

// Guarantee: lists of an organization's calls also contain the calls of earlier releases, with their events' types.
test("earlier attempts get their installation's organization and their event's type", async () => {
  const ids = { organization: v7(), installation: v7() };
  const [tenant, route, event, delivery, webhook, autofill] = Array.from({ length: 6 }, () => v7());
  const attempt = "attempts (id, installation_id, route_id, delivery_id, kind, target)";
  await migrateExisting(
    "attempt_organization",
    async (client) => {
      await insertRows(client, rowsOfInstallation(ids));
      await insertRows(client, [
        [
          "tenants (id, organization_id, name, host_name, core_api_url, core_credential_hash) values ($1, $2, 'U', 'u.example', 'http://x', 'y')",
          [tenant, ids.organization],
        ],
        [
          "routes (id, installation_id, kind, path) values ($1, $2, 'webhook', '/a')",
          [route, ids.installation],
        ],
        [
          "events (id, tenant_id, event_id, type, body) values ($1, $2, 'e', 'policy.issued', '{}')",
          [event, tenant],
        ],
        [
          "deliveries (id, event_id, installation_id, route_id) values ($1, $2, $3, $4)",
          [delivery, event, ids.installation, route],
        ],
        [
          `${attempt} values ($1, $2, $3, $4, 'webhook', 'POST /a')`,
          [webhook, ids.installation, route, delivery],
        ],
        [`${attempt} values ($1, $2, $3, null, 'autofill', 'POST /a')`, [autofill, ids.installation, route]],
      ]);
    },
    async (client) => {
      const found = await client.query("select id, organization_id, event_type from attempts order by id");
      expect(found.rows).toEqual([
        { id: webhook, organization_id: ids.organization, event_type: "policy.issued" },
        { id: autofill, organization_id: ids.organization, event_type: null },
      ]);
    },
  );
});

// Guarantee: an update loses no review, and each shows a text, with which it can be decided.
test("earlier reviews are of versions, and get their listing's text", async () => {
  const ids = { organization: v7(), installation: v7() };
  const review = v7();
  await migrateExisting(
    "listing_text",
    async (client) => {
      // The organization, the user, the listing and the version.
      await insertRows(client, rowsOfInstallation(ids).slice(0, 4));
      await client.query(
        "insert into reviews (id, listing_id, version_id, submitted_by) select $1, l.id, v.id, u.id from listings l, versions v, users u",
        [review],
      );
    },
    async (client) => {
      const { rows } = await client.query<{ text: unknown }>("select id, kind, text from reviews");
      expect(rows).toEqual([{ id: review, kind: "VERSION", text: expect.anything() }]);
      const links = { support: "", privacy: "", website: "" };
      const text = { title: "VIN", tagline: "", category: "other", links, icon: null, screenshots: [] };
      expect(rows[0]?.text).toEqual({ ...text, about: {}, requirements: {} });
      const listings = await client.query("select tagline, category, links, icon, screenshots from listings");
      expect(listings.rows).toEqual([{ tagline: "", category: "other", links, icon: null, screenshots: [] }]);
    },
  );
});

// Guarantee: publishers of reviews that wait during an update see a due date by the same rule as later ones.
test("earlier reviews are due three working days after their submission", async () => {
  const ids = { organization: v7(), installation: v7() };
  const submitted = [16, 17, 18, 19, 20, 21, 22].map((day) => new Date(`2026-11-${day}T09:30:00Z`));
  await migrateExisting(
    "moderation",
    async (client) => {
      // The organization, the user, the listing and the version.
      await insertRows(client, rowsOfInstallation(ids).slice(0, 4));
      for (const at of submitted)
        await client.query(
          `insert into reviews (id, listing_id, version_id, submitted_by, text, state, created_at)
           select $1, l.id, v.id, u.id, '{}', 'WITHDRAWN', $2 from listings l, versions v, users u`,
          [v7(), at],
        );
    },
    async (client) => {
      const { rows } = await client.query<{ due_at: Date }>("select due_at from reviews order by created_at");
      expect(rows.map((row) => row.due_at)).toEqual(submitted.map((at) => dueDate(at, "VERSION")));
    },
  );
});

// Guarantee: an update keeps the order of the marketplace's newest apps: by when they were first approved.
test("earlier public listings are public since their first approval, and drafts are not", async () => {
  const ids = { organization: v7(), installation: v7() };
  const [retired, suspended, draft] = Array.from({ length: 3 }, () => v7());
  const [created, first] = [new Date("2026-11-01T08:00:00Z"), new Date("2026-11-02T09:30:00.123Z")];
  await migrateExisting(
    "marketplace_search",
    async (client) => {
      // The organization, the user, the listing and the version.
      await insertRows(client, rowsOfInstallation(ids).slice(0, 4));
      await client.query("update listings set state = 'PUBLIC', created_at = $1", [created]);
      for (const [state, at] of [
        ["REJECTED", "2026-11-02T07:00:00Z"],
        ["APPROVED", "2026-11-03T10:00:00Z"],
        ["APPROVED", "2026-11-02T09:30:00.123456Z"],
      ])
        await client.query(
          `insert into reviews (id, listing_id, version_id, submitted_by, text, due_at, state, decided_at, decided_by)
           select $1, l.id, v.id, u.id, '{}', now(), $2, $3, u.id from listings l, versions v, users u`,
          [v7(), state, at],
        );
      for (const [id, name, state] of [
        [retired, "retired", "RETIRED"],
        [suspended, "suspended", "SUSPENDED"],
        [draft, "draft", "DRAFT"],
      ])
        await client.query(
          "insert into listings (id, organization_id, app_name, title, about, requirements, state, created_at) values ($1, $2, $3, $3, '{}', '{}', $4, $5)",
          [id, ids.organization, name, state, created],
        );
    },
    async (client) => {
      const { rows } = await client.query("select app_name, public_since from listings order by app_name");
      expect(rows).toEqual([
        { app_name: "draft", public_since: null },
        { app_name: "retired", public_since: null },
        // Without an approval that is known.
        { app_name: "suspended", public_since: created },
        { app_name: "vin", public_since: first },
      ]);
      // It stays so, whatever happens to the listing later.
      await client.query("update listings set state = 'SUSPENDED' where app_name = 'vin'");
      await client.query("update listings set state = 'PUBLIC' where app_name = 'vin'");
      const again = await client.query("select public_since from listings where app_name = 'vin'");
      expect(again.rows).toEqual([{ public_since: first }]);
    },
  );
});
