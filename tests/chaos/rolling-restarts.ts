/**
 * Two gateways and two workers are restarted in turns with SIGTERM under load: each is drained within 25 s, no answer is dropped,
 * and no delivery is claimed twice.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Balancer } from "./balancer";
import { expectDelivered, untilSettled } from "./deliveries";
import { expectRecorded, startLoad } from "./load";
import { createRandom, expectKept, figure, greatest, type ChaosOptions, type Random } from "./scenario";
import { chooseGatewayUrl, World } from "./world";

const DRAINED_WITHIN_MS = 25_000;
const SETTLED_WITHIN_MS = 60_000;
/** As long as the balancer may take to notice that a gateway drains. */
const NOTICE_MS = 1_000;

export async function run({ seed, full }: ChaosOptions): Promise<void> {
  const restarts = full ? 50 : 3;
  const random = createRandom(seed);
  await using world = await World.create({ PLATFORM_DRAIN_NOTICE_MS: String(NOTICE_MS) });
  const customer = await world.addCustomer("harbor", await world.startApp());
  const urls = [await chooseGatewayUrl(), await chooseGatewayUrl()] as const;
  const parts = {
    gateway: [await world.start("gateway", urls[0]), await world.start("gateway", urls[1])],
    worker: [await world.start("worker", urls[0]), await world.start("worker", urls[0])],
  };
  await using balancer = new Balancer(urls);
  await Promise.all(urls.map((url) => balancer.untilHealthy(url)));
  const load = startLoad(balancer.deliver, customer, chooseDuration, random);
  const drains = { gateway: [] as number[], worker: [] as number[] };
  for (let round = 0; round < restarts; round += 1) {
    for (const name of ["gateway", "worker"] as const) {
      await sleep(random.between(200, 800));
      const [part, other] = parts[name];
      if (part === undefined || other === undefined) throw new Error(`two ${name}s were started`);
      part.expectAlive();
      const { tookMs, code } = await part.end();
      drains[name].push(tookMs);
      expectKept(code === 0, `The ${name} ended with code ${code}.${part.quoteLog()}`);
      expectKept(tookMs <= DRAINED_WITHIN_MS, `The ${name} took ${Math.round(tookMs)} ms to drain.`);
      // The other one is next.
      parts[name] = [other, await world.restart(part)];
      if (name === "gateway") await Promise.all(urls.map((url) => balancer.untilHealthy(url)));
    }
  }
  await load.end();
  const { dropped } = balancer;
  expectKept(dropped.length === 0, `${dropped.length} answers were dropped, such as: ${dropped[0]}`);
  await untilSettled(world.platform, SETTLED_WITHIN_MS);
  // A worker that drains writes its last records as it ends.
  for (const part of [...parts.gateway, ...parts.worker]) await part.end();
  const { histories, duplicates } = await expectDelivered(
    world.platform,
    world.journalFile,
    load.promised.events,
  );
  await expectRecorded(world.platform, customer, load.promised);
  const twice = histories.filter(({ attempts }) => attempts !== 1).length;
  expectKept(duplicates === 0 && twice === 0, `${twice} deliveries were sent more than once.`);
  figure("rolling_restarts", 2 * restarts, "restarts");
  figure("rolling_events", load.promised.events.length, "events");
  figure("rolling_calls", load.promised.calls, "calls");
  figure("rolling_dropped", dropped.length, "answers");
  figure("rolling_claimed_twice", twice, "deliveries");
  figure("rolling_gateway_drained_in", greatest(drains.gateway) / 1000, "s");
  figure("rolling_worker_drained_in", greatest(drains.worker) / 1000, "s");
}

/** Most answers are quick; some take as long as a drain must wait. */
function chooseDuration(random: Random): number {
  return random.next() < 0.05 ? random.between(1_000, 3_000) : random.between(0, 50);
}
