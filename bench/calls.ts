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
  const names = ["direct", "floor", "ours"] as const;
  for (const name of names)
    await load({ ...order, url: targets[name], connections: CONNECTIONS, seconds: 2 });
  const idle: Record<keyof typeof targets, Measured[]> = { direct: [], floor: [], ours: [] };
  const busy: Record<keyof typeof targets, Measured[]> = { direct: [], floor: [], ours: [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of names) {
      const url = targets[name];
      const one = await load({ ...order, url, connections: 1, seconds });
      const many = await load({ ...order, url, connections: CONNECTIONS, seconds });
      idle[name].push(one);
      busy[name].push(many);
      console.log(
        `round ${round + 1}  ${name.padEnd(6)} median of one connection ${one.p50Ms.toFixed(3)} ms,` +
          ` ${CONNECTIONS} connections ${Math.round(many.rate)} calls/s, p99 ${many.p99Ms.toFixed(1)} ms`,
      );
    }
  const rounds = <Value>(calculate: (round: number) => Value) =>
    Array.from({ length: ROUNDS }, (_, at) => calculate(at));
  const added = (name: keyof typeof targets, round: number) =>
    (idle[name][round]?.p50Ms ?? 0) - (idle.direct[round]?.p50Ms ?? 0);
  const rate = (name: keyof typeof targets, round: number) => busy[name][round]?.rate ?? 0;
  for (const name of names) {
    printFigure(`call_${name}_p50`, median(idle[name].map(({ p50Ms }) => p50Ms)), "ms");
    printFigure(`call_${name}_rate`, median(busy[name].map(({ rate: each }) => each)), "calls/s");
  }
  const generator = await findLoadGenerator();
  const headroom = median(rounds((round) => rate("direct", round) / rate("floor", round)));
  console.log(
    `The load comes from ${generator}. It sends ${headroom.toFixed(1)} times as many calls to the bare app as the floor can pass on, so it is not the bottleneck.`,
  );
  printFigure("call_generator_headroom", headroom, "ratio");
  printFigure(
    "call_added_over_floor",
    median(rounds((at) => added("ours", at) / added("floor", at))),
    "ratio",
  );
  printFigure("call_rate_over_floor", median(rounds((at) => rate("ours", at) / rate("floor", at))), "ratio");
  await endGateway();
}
