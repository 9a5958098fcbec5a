/**
 * Measures synchronous calls: an autofill call through the gateway, the same POST sent straight to an app that answers at
 * once, and through a floor, a bare `node:http` proxy with one prepared select. They take turns on one machine, so that
 * ratios stay valid when its speed drifts.
 *
 *     npm run bench:calls [-- <seconds of a round> [--profile]]
 *
 * `--profile` writes a CPU profile of the gateway into `.build/bench/profile`.
 */
import { freePort } from "@/lib/server/platform/machine";
import { bundle, findLoadGenerator, load, type Measured, median, printFigure, startPart } from "./measure";
import { CORE_HEADERS, prepareGateway, startGateway } from "./measured-gateway";

const ROUNDS = 3;
const CONNECTIONS = 16;
const PAYLOAD = { operation: "newBusiness.create", policy: { vehicle: { vin: "YV1CZ852851194259" } } };

const seconds = Number(process.argv[2] ?? 5);

type Bench = Awaited<ReturnType<typeof prepareGateway>>;

const bench = await prepareGateway();
try {
  await run(bench);
} finally {
  await bench.end();
}
process.exit(0);

async function run({ databaseUrl, variables, url: gateway, pool, routeId }: Bench): Promise<void> {
  const [appPort, floorPort] = [await freePort(), await freePort()];
  const app = `http://127.0.0.1:${appPort}`;
  await pool.query(
    `insert into instances (id, version_id, runtime, handle, origin, state, ready_at)
     select gen_random_uuid(), id, 'bench', 'none', $1, 'READY', now() from versions`,
    [app],
  );
  await bundle({ gateway: "gateway/main.ts", app: "bench/bare-app.ts", floor: "bench/bare-proxy.ts" });
  await startPart("app", [String(appPort)], variables);
  await startPart("floor", [databaseUrl, String(floorPort), routeId], variables);
  const endGateway = await startGateway(variables);

  const order = {
    method: "POST" as const,
    headers: CORE_HEADERS,
    body: JSON.stringify(PAYLOAD),
  };
  const targets = {
    direct: `${app}/autofill`,
    floor: `http://127.0.0.1:${floorPort}/`,
    ours: `${gateway}/r/${routeId}`,
  };
  for (let k=0;k<6;k++) { const f = await load({ ...order, url: targets.floor, connections: CONNECTIONS, seconds }); const r = await load({ ...order, url: targets.ours, connections: CONNECTIONS, seconds }); console.log("figure floor", Math.round(f.rate), "ours", Math.round(r.rate), (r.rate/f.rate).toFixed(3)); }
  await endGateway();
}
