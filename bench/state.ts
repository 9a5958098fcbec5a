/**
 * Measures the state API: the gateway, Next's route handler, and a bare `node:http` + `pg` select for comparison. They take
 * turns on one machine, so that ratios stay valid when its speed drifts.
 */
import { fork, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import autocannon from "autocannon";
import { build } from "esbuild";
import { v7 } from "uuid";
import { readEnvironment } from "@/lib/server/platform/environment";
import { sealSetting } from "@/lib/server/keys/data-key";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { sealStateKey } from "@/lib/server/keys/state-key";
import { createPlatform } from "@/lib/server/platform/platform";
import { SELECT_STATE } from "@/lib/server/state/queries";
import { freePort } from "@/lib/server/runtimes/free-port";
import { startTemporaryDatabase } from "@/tests/temporary-database";

const ROUNDS = 5;
const SECONDS = 4;
const CONNECTIONS = 32;
const OUT = ".build/bench";

if (!existsSync(".next/BUILD_ID")) {
  console.error("Build first, so that Next's handler is measured as it ships: npm run build");
  process.exit(1);
}

const database = await startTemporaryDatabase("bench");
const databaseUrl = `${database.server}/bench`;
const children: ChildProcess[] = [];
try {
  await run();
} finally {
  for (const child of children) child.kill("SIGKILL");
  await database.stop();
}
process.exit(0);

async function run(): Promise<void> {
  const [gatewayPort, webPort, barePort] = [await freePort(), await freePort(), await freePort()];
  const variables = {
    NODE_ENV: "production",
    DATABASE_URL: databaseUrl,
    PLATFORM_MASTER_KEYS: newMasterKey("bench"),
    PLATFORM_GATEWAY_PORT: String(gatewayPort),
    PLATFORM_GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
    PLATFORM_WEB_URL: `http://localhost:${webPort}`,
    PLATFORM_LOG_LEVEL: "warn",
  };
  const { key, installationId, routeId } = await createInstallation(variables);
  await build({
    entryPoints: { gateway: "gateway/main.ts", bare: "bench/bare-server.ts" },
    outdir: OUT,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  await start(
    `${OUT}/bare.js`,
    [databaseUrl, String(barePort), SELECT_STATE, installationId, routeId],
    variables,
  );
  await start(`${OUT}/gateway.js`, [], variables);
  await startNext(webPort, variables);

  const targets = {
    bare: `http://127.0.0.1:${barePort}/`,
    gateway: `http://127.0.0.1:${gatewayPort}/state/${key}`,
    next: `http://127.0.0.1:${webPort}/state/${key}`,
  };
  const rates: Record<keyof typeof targets, number[]> = { bare: [], gateway: [], next: [] };
  const latencies: Record<keyof typeof targets, number[]> = { bare: [], gateway: [], next: [] };
  for (const url of Object.values(targets)) await autocannon({ url, connections: CONNECTIONS, duration: 2 });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of ["bare", "gateway", "next"] as const) {
      const result = await autocannon({ url: targets[name], connections: CONNECTIONS, duration: SECONDS });
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${name}: ${result.non2xx} responses were not 2xx, ${result.errors} requests failed`);
      rates[name].push(result.requests.average);
      latencies[name].push(result.latency.p99);
      console.log(
        `round ${round + 1}  ${name.padEnd(8)} ${Math.round(result.requests.average)} requests/s, p99 ${result.latency.p99} ms`,
      );
    }
  }
  for (const name of ["bare", "gateway", "next"] as const) {
    console.log(`figure state_${name}_rate ${Math.round(median(rates[name]))} requests/s`);
    console.log(`figure state_${name}_p99 ${median(latencies[name])} ms`);
  }
  const ratio = (other: "bare" | "next") =>
    median(rates.gateway.map((rate, round) => rate / (rates[other][round] ?? 1))).toFixed(2);
  console.log(`figure state_gateway_over_bare ${ratio("bare")} ratio`);
  console.log(`figure state_gateway_over_next ${ratio("next")} ratio`);
}

/** One installation with three settings, one of them secret, and a key that outlives the measurement. */
async function createInstallation(variables: Record<string, string>) {
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
  await insert("insert into organizations (id, slug, name) values ($1, 'bench', 'Bench')", [organizationId]);
  await insert(
    "insert into users (id, email, name, password_hash) values ($1, 'b@bench.example', 'B', '-')",
    [userId],
  );
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
    `insert into tenants (id, organization_id, name, host_name, core_api_url, core_credential_hash)
     values ($1, $2, 'T', 'bench.core.example', 'https://core.example', '-')`,
    [tenantId, organizationId],
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
  return { key, ...ids };
}

function start(script: string, args: string[], variables: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(path.resolve(script), args, { env: { ...process.env, ...variables } });
    children.push(child);
    child.once("message", () => resolve());
    child.once("exit", (code) => reject(new Error(`${script} exited with code ${code}`)));
  });
}

async function startNext(port: number, variables: Record<string, string>): Promise<void> {
  const next = path.resolve("node_modules/next/dist/bin/next");
  children.push(
    fork(next, ["start", "-p", String(port), "-H", "127.0.0.1"], {
      env: { ...process.env, ...variables },
      stdio: "ignore",
    }),
  );
  for (let tries = 0; tries < 100; tries += 1) {
    const up = await fetch(`http://127.0.0.1:${port}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("Next did not start within 10 s.");
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
