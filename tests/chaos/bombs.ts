/** P9: what an app does to itself moves a neighbor's p99 by at most 2 ×: each bomb in a real container beside a neighbor's. */
import { setTimeout as sleep } from "node:timers/promises";
import { send } from "./core";
import { loadOne, measureCalls, runCase, type Case, type Stage } from "./fairness";
import { expectKept, figure } from "./scenario";
import { chooseGatewayUrl, World, type Customer } from "./world";

const MOST_SLOWDOWN = 2;
const ROUNDS = 3;
const SECONDS = 3;
const READY_MS = 60_000;
/** A bomb that was killed is dropped again, so that it lasts as long as the neighbor is measured. */
const DROPS_PER_SECOND = 2;
const BOMBS = ["cpu", "fork", "memory", "disk", "log"] as const;
const HANGING = "hang";
const HANGS_MS = 30_000;
/** Until the machine has recovered from a bomb. */
const CALM_MS = 1_000;

/** Containers take too long to start for a short form. */
export async function run(): Promise<void> {
  const created = await World.createWithContainers();
  if (created === undefined) return console.log("bombs: skipped, because no container engine responds");
  await using world = created;
  const neighbor = await world.addCustomer("neighbor");
  const louds = new Map<string, Customer>();
  for (const name of [...BOMBS, HANGING]) louds.set(name, await world.addCustomer(`loud-${name}`));
  const url = await chooseGatewayUrl();
  await world.start("gateway", url);
  await world.start("worker", url);
  await untilReady(world, louds.size + 1);
  for (const [name, loud] of louds) {
    const stage: Stage = { world, url, loud, neighbor, newcomers: [], capacity: 0 };
    const result = await runCase(stage, createCase(name), { rounds: ROUNDS, seconds: SECONDS });
    const ratios = result.rounds.map(({ ratio }) => ratio).toSorted((one, other) => one - other);
    const ratio = ratios[Math.floor(ratios.length / 2)] ?? 0;
    figure(`bomb_${name}_neighbor_p99_over_alone`, ratio, "ratio");
    figure(`bomb_${name}_neighbor_failed`, result.failed, "count");
    const killed = await countKilled(world, loud);
    figure(`bomb_${name}_app_ran_out_of_memory`, killed, "times");
    expectKept(
      name !== "memory" || killed > 0,
      "The app with the memory bomb was not killed, so nothing was shown.",
    );
    expectKept(result.failed === 0, `${name}: ${result.failed} calls of the neighbor failed.`);
    expectKept(ratio <= MOST_SLOWDOWN, `${name}: the neighbor's p99 is ${ratio.toFixed(2)} times as long.`);
  }
}

function createCase(name: string): Case {
  if (name === HANGING)
    return {
      ...{ name, measure: measureCalls },
      load: ({ loud, ...stage }, seconds) => {
        const requests = [callWith(loud, { takesMs: HANGS_MS })];
        return loadOne({ ...stage, loud }, { requests, connections: 200, perSecond: 100, seconds });
      },
    };
  return {
    ...{ name, measure: measureCalls },
    load: async (stage, seconds) => {
      const requests = [callWith(stage.loud, { bomb: name })];
      const drops = { requests, connections: 16, perSecond: DROPS_PER_SECOND, seconds };
      const reports = await loadOne(stage, drops);
      const { method, path, authorization, body } = callWith(stage.loud, { bomb: "none" });
      // An app that died of its bomb has ended it.
      await send(method, stage.url + path, authorization, body).catch(() => undefined);
      await sleep(CALM_MS);
      return reports;
    },
  };
}

function callWith({ autofillRouteId, core }: Customer, data: object) {
  const body = { operation: "newBusiness.create", data };
  return { method: "POST" as const, path: `/r/${autofillRouteId}`, authorization: core, body };
}

async function countKilled({ platform }: World, { versionId }: Customer): Promise<number> {
  const { rowCount } = await platform.pool.query(
    "select 1 from instances where version_id = $1 and reason_code = 'OOM_KILLED'",
    [versionId],
  );
  return rowCount ?? 0;
}

async function untilReady({ platform }: World, count: number): Promise<void> {
  const giveUpAt = Date.now() + READY_MS;
  for (;;) {
    const { rowCount } = await platform.pool.query("select 1 from instances where state = 'READY'");
    if (rowCount === count) return;
    if (Date.now() > giveUpAt) throw new Error(`Only ${rowCount} of ${count} apps were ready in a minute.`);
    await sleep(100);
  }
}
