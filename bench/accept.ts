/**
 * Measures accepting events: `POST /core/v1/events` of a real gateway, which authenticates the core, checks the event and stores
 * it with its delivery, beside a bare `node:http` server that does one insert and one commit for each request. They take turns
 * on one PostgreSQL, so that ratios stay valid when the machine's speed drifts.
 *
 *     npx tsx bench/accept.ts [<seconds of a round> [--profile]]; `npm run bench:deliveries` runs it too
 *
 * `--profile` writes a CPU profile of the gateway into `.build/bench/profile`.
 */
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { createPlatform } from "@/lib/server/platform/platform";
import { freePort } from "@/lib/server/runtimes/free-port";
import { startTemporaryDatabase } from "@/tests/temporary-database";
import {
  bundle,
  findLoadGenerator,
  killParts,
  load,
  median,
  printFigure,
  startPart,
  type Measured,
} from "./measure";
import { createInstallation } from "./running-installation";

const ROUNDS = 3;
const CONNECTIONS = 32;
const CREDENTIAL = "pcc_the-credential-of-the-benchmark";
const PROFILE = ".build/bench/profile";

const seconds = Number(process.argv[2] ?? 5);
const profiled = process.argv.includes("--profile");

const database = await startTemporaryDatabase("bench");
try {
  await run(`${database.server}/bench`);
} finally {
  killParts();
  await database.stop();
}
process.exit(0);

async function run(databaseUrl: string): Promise<void> {
  const [gatewayPort, barePort] = [await freePort(), await freePort()];
  const variables = {
    NODE_ENV: "production",
    DATABASE_URL: databaseUrl,
    PLATFORM_MASTER_KEYS: newMasterKey("bench"),
    PLATFORM_GATEWAY_PORT: String(gatewayPort),
    PLATFORM_GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
    PLATFORM_LOG_LEVEL: "warn",
  };
  const pool = await givenWebhook(variables);
  await bundle({ gateway: "gateway/main.ts", bare: "bench/bare-insert.ts" });
  await startPart("bare", [databaseUrl, String(barePort)], variables);
  const profile = profiled ? ["--cpu-prof", `--cpu-prof-dir=${PROFILE}`] : [];
  const gateway = await startPart("gateway", [], variables, profile);

  const targets = {
    bare: `http://127.0.0.1:${barePort}/`,
    ours: `http://127.0.0.1:${gatewayPort}/core/v1/events`,
  };
  const names = ["bare", "ours"] as const;
  const measured: Record<keyof typeof targets, Measured[]> = { bare: [], ours: [] };
  for (const name of names) await load({ ...order(), url: targets[name], seconds: 2 });
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of names) {
      const one = await load({ ...order(), url: targets[name], seconds });
      measured[name].push(one);
      console.log(
        `round ${round + 1}  ${name}  ${Math.round(one.rate)} events/s, median ${one.p50Ms.toFixed(1)} ms, p99 ${one.p99Ms.toFixed(1)} ms`,
      );
    }
  const { rows } = await pool.query<{ events: number; deliveries: number }>(
    "select (select count(*)::int from events) as events, (select count(*)::int from deliveries) as deliveries",
  );
  console.log(`stored: ${rows[0]?.events} events, ${rows[0]?.deliveries} deliveries`);
  await pool.end();

  for (const name of names)
    printFigure(`accept_${name}_rate`, median(measured[name].map(({ rate }) => rate)), "events/s");
  printFigure("accept_p99", median(measured.ours.map(({ p99Ms }) => p99Ms)), "ms");
  console.log(`The load comes from ${await findLoadGenerator()}, with ${CONNECTIONS} connections.`);
  const ratios = measured.ours.map(({ rate }, at) => rate / (measured.bare[at]?.rate ?? Infinity));
  printFigure("accept_over_one_commit", median(ratios), "ratio");
  if (profiled) {
    gateway.kill("SIGTERM");
    await once(gateway, "exit");
    console.log(`The gateway's CPU profile is in ${PROFILE}.`);
  }
}

/** A running installation with a webhook, whose tenant's core may send events. */
async function givenWebhook(variables: Record<string, string>) {
  const { installationId } = await createInstallation(variables);
  const { pool } = createPlatform(readEnvironment(variables), "bench");
  const hash = createHash("sha256").update(CREDENTIAL).digest("hex");
  await pool.query(
    "insert into core_credentials (id, tenant_id, hash) select gen_random_uuid(), id, $1 from tenants",
    [hash],
  );
  await pool.query(
    `insert into routes (id, installation_id, kind, path, patterns) values (gen_random_uuid(), $1, 'webhook', '/events', '["policy.*"]')`,
    [installationId],
  );
  return pool;
}

/** Requests whose events all differ. */
function order() {
  const prefix = randomBytes(6).toString("hex");
  const event = (id: string) =>
    JSON.stringify({
      id,
      type: "policy.issued",
      timestamp: "2026-01-31T12:00:00Z",
      transactionId: "T-20",
      username: "jane",
      data: {
        policyLocator: "POL-1001",
        productName: "Personal Auto",
        effectiveDate: "2026-02-01",
        expirationDate: "2027-02-01",
        premium: { amount: "812.50", currency: "USD" },
        data: { vehicle: { vin: "1HGCM82633A004352", make: "Honda", modelYear: 2003 } },
      },
    });
  const lua = `
local n = 0
request = function()
  n = n + 1
  return wrk.format(nil, nil, nil, string.format([==[${event(`${prefix}-%d`)}]==], n))
end`;
  return {
    method: "POST" as const,
    headers: { "content-type": "application/json", authorization: `Bearer ${CREDENTIAL}` },
    // autocannon fills in the id.
    body: event(`${prefix}-[<id>]`),
    lua,
    connections: CONNECTIONS,
  };
}
