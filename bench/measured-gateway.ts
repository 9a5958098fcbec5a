/** What benchmarks of the gateway share: a database with one running installation, whose core has a credential. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { freePort } from "@/lib/server/platform/machine";
import { createPlatform } from "@/lib/server/surface/create-platform";
import { startTemporaryDatabase } from "@/tests/temporary-database";
import { killParts, startPart } from "./measure";
import { createInstallation } from "./running-installation";

const CREDENTIAL = "pcc_the-credential-of-the-benchmark";
const PROFILE = ".build/bench/profile";
const profiled = process.argv.includes("--profile");

/** The headers of the core's requests. */
export const CORE_HEADERS = { "content-type": "application/json", authorization: `Bearer ${CREDENTIAL}` };

/** The environment of a gateway on a free port. */
export async function chooseVariables(databaseUrl: string) {
  const port = await freePort();
  return {
    NODE_ENV: "production",
    DATABASE_URL: databaseUrl,
    PLATFORM_MASTER_KEYS: newMasterKey("bench"),
    PLATFORM_GATEWAY_PORT: String(port),
    PLATFORM_GATEWAY_URL: `http://127.0.0.1:${port}`,
    PLATFORM_LOG_LEVEL: "warn",
  };
}

/** The caller must end it: that stops everything it started, and the parts of `measure.ts`. */
export async function prepareGateway() {
  const database = await startTemporaryDatabase("bench");
  const databaseUrl = `${database.server}/bench`;
  const variables = await chooseVariables(databaseUrl);
  const url = variables.PLATFORM_GATEWAY_URL;
  const { pool } = createPlatform(readEnvironment(variables), "bench");
  const end = async () => {
    killParts();
    await pool.end();
    await database.stop();
  };
  try {
    const { installationId, routeId, versionId } = await createInstallation(variables);
    await pool.query(
      "insert into core_credentials (id, tenant_id, hash) select gen_random_uuid(), id, $1 from tenants",
      [createHash("sha256").update(CREDENTIAL).digest("hex")],
    );
    return { databaseUrl, variables, url, pool, installationId, routeId, versionId, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * Starts the gateway, which must be bundled. The returned function ends the measurement: with `--profile`, it waits until
 * the gateway has written its CPU profile.
 */
export async function startGateway(variables: Record<string, string>): Promise<() => Promise<void>> {
  const profile = profiled ? ["--cpu-prof", `--cpu-prof-dir=${PROFILE}`] : [];
  const gateway = await startPart("gateway", [], variables, profile);
  return async () => {
    if (!profiled) return;
    gateway.kill("SIGTERM");
    await once(gateway, "exit");
    console.log(`The gateway's CPU profile is in ${PROFILE}.`);
  };
}
