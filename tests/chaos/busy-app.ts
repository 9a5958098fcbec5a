/** An app with one replica gets more calls at once than it should, from two gateways: replicas are added, and no call fails. */
import { setTimeout as sleep } from "node:timers/promises";
import { count, eq } from "drizzle-orm";
import { listings } from "@/drizzle/schema/catalog";
import { instances } from "@/drizzle/schema/runtime";
import { createAutofill, send } from "./core";
import { expectKept, figure, type ChaosOptions } from "./scenario";
import { chooseGatewayUrl, World } from "./world";

const MOST = 4;
const AT_ONCE = 28;
const TAKES_MS = 300;
const SCALED_WITHIN_MS = 60_000;

export async function run(_options: ChaosOptions): Promise<void> {
  await using world = await World.create({ PLATFORM_APP_REPLICAS: String(MOST) });
  const customer = await world.addCustomer("harbor");
  await world.platform.db.update(listings).set({ replicas: 1, mostReplicas: MOST });
  const urls = [await chooseGatewayUrl(), await chooseGatewayUrl()] as const;
  for (const url of urls) await world.start("gateway", url);
  await world.start("worker", urls[0]);
  const countReady = async () => {
    const isReady = eq(instances.state, "READY");
    const [row] = await world.platform.db.select({ ready: count() }).from(instances).where(isReady);
    return row?.ready ?? 0;
  };
  const until = async (ready: number) => {
    const startedAt = performance.now();
    while ((await countReady()) < ready) {
      expectKept(performance.now() - startedAt < SCALED_WITHIN_MS, `There are not ${ready} replicas.`);
      await sleep(100);
    }
    return performance.now() - startedAt;
  };
  await until(1);
  let isOver = false;
  const statuses: number[] = [];
  const callers = Array.from({ length: AT_ONCE }, async (_, at) => {
    const url = `${urls[at % 2]}/r/${customer.autofillRouteId}`;
    while (!isOver) statuses.push((await send("POST", url, customer.core, createAutofill(TAKES_MS))).status);
  });
  const tookMs = await until(MOST);
  isOver = true;
  await Promise.all(callers);
  const failed = statuses.filter((status) => status !== 200).length;
  expectKept(failed === 0, `${failed} of ${statuses.length} calls failed.`);
  figure("busy_replicas_added", MOST - 1, "replicas");
  figure("busy_seconds_until_added", tookMs / 1_000, "s");
  figure("busy_calls_failed", failed, "calls");
}
