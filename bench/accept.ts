/**
 * Measures accepting events: `POST /core/v1/events` of a real gateway, which authenticates the core, checks the event and stores
 * it with its delivery, beside a bare `node:http` server that does one insert and one commit for each request. They take turns
 * on one PostgreSQL, so that ratios stay valid when the machine's speed drifts.
 *
 *     npx tsx bench/accept.ts [<seconds of a round> [--profile]]; `npm run bench:deliveries` runs it too
 *
 * `--profile` writes a CPU profile of the gateway into `.build/bench/profile`.
 */
import { randomBytes } from "node:crypto";
import { freePort } from "@/lib/server/platform/machine";
import { bundle, findLoadGenerator, load, type Measured, median, printFigure, startPart } from "./measure";
import { CORE_HEADERS, prepareGateway, startGateway } from "./measured-gateway";

const ROUNDS = 3;
const CONNECTIONS = 32;

const seconds = Number(process.argv[2] ?? 5);

type Bench = Awaited<ReturnType<typeof prepareGateway>>;

const bench = await prepareGateway();
try {
  await run(bench);
} finally {
  await bench.end();
}
process.exit(0);

async function run({ databaseUrl, variables, url, pool, installationId }: Bench): Promise<void> {
  await pool.query(
    `insert into routes (id, installation_id, kind, path, patterns) values (gen_random_uuid(), $1, 'webhook', '/events', '["policy.*"]')`,
    [installationId],
  );
  const barePort = await freePort();
  await bundle({ gateway: "gateway/main.ts", bare: "bench/bare-insert.ts" });
  await startPart("bare", [databaseUrl, String(barePort)], variables);
  const endGateway = await startGateway(variables);

  const targets = {
    bare: `http://127.0.0.1:${barePort}/`,
    ours: `${url}/core/v1/events`,
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

  for (const name of names)
    printFigure(`accept_${name}_rate`, median(measured[name].map(({ rate }) => rate)), "events/s");
  printFigure("accept_p99", median(measured.ours.map(({ p99Ms }) => p99Ms)), "ms");
  console.log(`The load comes from ${await findLoadGenerator()}, with ${CONNECTIONS} connections.`);
  const ratios = measured.ours.map(({ rate }, at) => rate / (measured.bare[at]?.rate ?? Infinity));
  printFigure("accept_over_one_commit", median(ratios), "ratio");
  await endGateway();
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
    headers: CORE_HEADERS,
    // autocannon fills in the id.
    body: event(`${prefix}-[<id>]`),
    lua,
    connections: CONNECTIONS,
  };
}
