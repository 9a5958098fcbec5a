/** Fills a database with running installations, each with three settings, one of them secret, and a key for each. */
import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { settingSealer } from "@/lib/server/platform/data-key";
import type { Platform } from "@/lib/server/platform/platform";
import { sealStateKey } from "@/lib/server/platform/state-key";

const APPS = 10;
const TENANTS_PER_ORGANIZATION = 10;
const PRODUCTS = ["Homeowners", "Personal Auto"];

export interface SeededInstallation {
  installationId: string;
  routeId: string;
  /** Opens its state for an hour. */
  key: string;
}

/** @param count in steps of 100: an organization has 10 tenants, and each of them has 10 apps */
export async function seedInstallations(platform: Platform, count: number): Promise<SeededInstallation[]> {
  const query = (text: string, values: unknown[]) => platform.pool.query(text, values);
  const userId = v7();
  await query("insert into users (id, email, name, password_hash) values ($1, 'b@bench.example', 'B', '-')", [
    userId,
  ]);
  const seeded: SeededInstallation[] = [];
  let versions: { listingId: string; versionId: string }[] = [];
  for (let at = 0; at < count; at += APPS * TENANTS_PER_ORGANIZATION) {
    const organizationId = v7();
    const slug = `bench-${at}`;
    await query("insert into organizations (id, slug, name) values ($1, $2, $2)", [organizationId, slug]);
    if (versions.length === 0) versions = await insertApps(platform, organizationId);
    const tenantIds = Array.from({ length: TENANTS_PER_ORGANIZATION }, () => v7());
    await insertTenants(platform, organizationId, slug, tenantIds);
    const seal = await settingSealer(platform, platform.db, organizationId);
    const rows = tenantIds.flatMap((tenantId) =>
      versions.map((version) => {
        const installationId = v7();
        const place = { installationId, name: "apiKey" };
        const sealed = seal(place, `the provider's key of installation ${randomUUID()}`);
        const settings = {
          region: { kind: "plain", value: "eu" },
          label: { kind: "plain", value: "Harbor" },
          apiKey: { kind: "sealed", sealed, type: "Password", setIn: 1, updatedAt: "", by: userId },
        };
        return { installationId, routeId: v7(), configurationId: v7(), tenantId, settings, ...version };
      }),
    );
    await insertInstallations(platform, organizationId, userId, rows);
    for (const { installationId, routeId } of rows) {
      const expiresAt = new Date(Date.now() + 3_600_000);
      const content = { installationId, routeId, attemptId: v7(), revision: 1, epoch: 0, expiresAt };
      seeded.push({ installationId, routeId, key: sealStateKey(platform.keyring, content) });
    }
  }
  await platform.pool.query("vacuum analyze");
  return seeded;
}

async function insertApps({ pool }: Platform, organizationId: string) {
  const apps = Array.from({ length: APPS }, () => ({ listingId: v7(), versionId: v7() }));
  for (const [index, { listingId, versionId }] of apps.entries()) {
    await pool.query(
      `insert into listings (id, organization_id, app_name, title, about, requirements, state)
       values ($1, $2, $3, 'Bench', '{}', '{}', 'PUBLIC')`,
      [listingId, organizationId, `bench-${index}`],
    );
    await pool.query(
      `insert into versions (id, listing_id, number, manifest, manifest_text, image_manifest_text, image_digest, archive_digest, archive_bytes, published_by)
       values ($1, $2, '1.0.0', '{}', '{}', '{}', '-', '-', 0, '-')`,
      [versionId, listingId],
    );
  }
  return apps;
}

async function insertTenants({ pool }: Platform, organizationId: string, slug: string, ids: string[]) {
  await pool.query(
    `insert into tenants (id, organization_id, name, host_name, core_api_url)
     select id, $2, id, id || '.' || $3 || '.core.example', 'https://core.example/tenants/' || id
       from unnest($1::uuid[]) t (id)`,
    [ids, organizationId, slug],
  );
  await pool.query(
    "insert into products (id, tenant_id, name, schema) select gen_random_uuid(), t, p, '{}' from unnest($1::uuid[]) t, unnest($2::text[]) p",
    [ids, PRODUCTS],
  );
}

interface InstallationRow {
  installationId: string;
  tenantId: string;
  listingId: string;
  versionId: string;
  routeId: string;
  configurationId: string;
  settings: object;
}

async function insertInstallations(
  { pool }: Platform,
  organizationId: string,
  userId: string,
  rows: InstallationRow[],
) {
  const column = (name: keyof InstallationRow) => rows.map((row) => row[name]);
  const ids = column("installationId");
  await pool.query(
    `insert into installations (id, organization_id, tenant_id, listing_id, version_id, state, created_by)
     select id, $1, tenant, listing, version, 'RUNNING', $2
       from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[]) as i (id, tenant, listing, version)`,
    [organizationId, userId, ids, column("tenantId"), column("listingId"), column("versionId")],
  );
  const mappings = PRODUCTS.map((productName) => ({ productName, fields: { vin: "$.vehicle.vin" } }));
  await pool.query(
    `insert into configurations (id, installation_id, revision, version_id, settings, mappings, created_by)
     select id, installation, 1, version, settings, $1, $2
       from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::jsonb[]) as c (id, installation, version, settings)`,
    [
      JSON.stringify(mappings),
      userId,
      column("configurationId"),
      ids,
      column("versionId"),
      rows.map(({ settings }) => JSON.stringify(settings)),
    ],
  );
  await pool.query(
    `insert into routes (id, installation_id, kind, path)
     select id, installation, 'autofill', '/autofill' from unnest($1::uuid[], $2::uuid[]) as r (id, installation)`,
    [column("routeId"), ids],
  );
}
