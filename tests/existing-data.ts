/** Databases as earlier releases left them, for tests of migrations. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { v7 } from "uuid";
import { inject } from "vitest";

const FOLDER = path.join(import.meta.dirname, "../drizzle/migrations");
const files = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".sql"))
  .sort();

async function apply(client: pg.Client, names: string[]): Promise<void> {
  for (const name of names)
    for (const statement of readFileSync(path.join(FOLDER, name), "utf8").split("--> statement-breakpoint"))
      await client.query(statement);
}

/** Runs `check` on a database that one migration found as an earlier release left it. */
export async function migrateExisting(
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

export async function insertRows(client: pg.Client, rows: Row[]): Promise<void> {
  for (const [statement, values] of rows) await client.query(`insert into ${statement}`, values);
}

/** An installation, and what it needs, as the releases since "versions_search_tenants" have it. */
export function rowsOfInstallation({
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
