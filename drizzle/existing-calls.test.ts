/** Migrations that fill new columns of installations and calls from rows of earlier releases. */
import { createHash } from "node:crypto";
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { insertRows, migrateExisting, rowsOfInstallation } from "@/tests/existing-data";

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
