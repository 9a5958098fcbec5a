import { v7 } from "uuid";
import { sealSetting } from "@/lib/server/platform/data-key";
import { readEnvironment } from "@/lib/server/platform/environment";
import { sealStateKey } from "@/lib/server/platform/state-key";
import { createPlatform } from "@/lib/server/surface/create-platform";

/**
 * One installation with three settings, one of them secret, and a key that outlives the measurement.
 * @param name tells several apart
 */
export async function createInstallation(variables: Record<string, string>, name = "bench") {
  const platform = createPlatform(readEnvironment(variables), "bench");
  const [organizationId, userId, listingId, versionId, tenantId, installationId, routeId] = Array.from(
    { length: 7 },
    () => v7(),
  );
  const place = {
    organizationId: organizationId ?? "",
    installationId: installationId ?? "",
    name: "apiKey",
  };
  const insert = (text: string, values: unknown[]) => platform.pool.query(text, values);
  await insert("insert into organizations (id, slug, name) values ($1, $2, 'Bench')", [organizationId, name]);
  await insert("insert into users (id, email, name, password_hash) values ($1, $2, 'B', '-')", [
    userId,
    `b@${name}.example`,
  ]);
  await insert(
    "insert into listings (id, organization_id, app_name, title, about, requirements, state) values ($1, $2, 'bench', 'Bench', '{}', '{}', 'PUBLIC')",
    [listingId, organizationId],
  );
  await insert(
    `insert into versions (id, listing_id, number, manifest, manifest_text, image_manifest_text, image_digest, archive_digest, archive_bytes, published_by)
     values ($1, $2, '1.0.0', '{}', '{}', '{}', '-', '-', 0, '-')`,
    [versionId, listingId],
  );
  await insert(
    `insert into tenants (id, organization_id, name, host_name, core_api_url)
     values ($1, $2, 'T', $3, 'https://core.example')`,
    [tenantId, organizationId, `${name}.core.example`],
  );
  await insert("insert into products (id, tenant_id, name, schema) values ($1, $2, 'Auto', '{}')", [
    v7(),
    tenantId,
  ]);
  await insert(
    `insert into installations (id, organization_id, tenant_id, listing_id, version_id, state, created_by)
     values ($1, $2, $3, $4, $5, 'RUNNING', $6)`,
    [installationId, organizationId, tenantId, listingId, versionId, userId],
  );
  const sealed = await sealSetting(platform, platform.db, place, "a provider's key of usual length");
  const settings = {
    region: { kind: "plain", value: "eu" },
    label: { kind: "plain", value: "Harbor" },
    apiKey: { kind: "sealed", sealed, updatedAt: new Date().toISOString(), by: "bench" },
  };
  await insert(
    "insert into configurations (id, installation_id, revision, version_id, settings, mappings, created_by) values ($1, $2, 1, $3, $4, $5, $6)",
    [
      v7(),
      installationId,
      versionId,
      JSON.stringify(settings),
      JSON.stringify([{ productName: "Auto", fields: { vin: "$.vehicle.vin" } }]),
      userId,
    ],
  );
  await insert(
    "insert into routes (id, installation_id, kind, path) values ($1, $2, 'autofill', '/autofill')",
    [routeId, installationId],
  );
  const expiresAt = new Date(Date.now() + 3_600_000);
  const ids = { installationId: installationId ?? "", routeId: routeId ?? "" };
  const key = sealStateKey(platform.keyring, { ...ids, attemptId: v7(), revision: 1, epoch: 0, expiresAt });
  await platform.pool.end();
  return {
    key,
    ...ids,
    versionId: versionId ?? "",
    tenantId: tenantId ?? "",
    organizationId: place.organizationId,
    userId: userId ?? "",
  };
}
