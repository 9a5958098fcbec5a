/**
 * PostgreSQL is restarted with `-m immediate` under load: no process exits, everything works within 5 s of the database, and
 * every write that was answered with 2xx is there.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { send } from "./core";
import { expectDelivered, readJournal, untilSettled } from "./deliveries";
import { expectRecorded, startLoad, type Deliver, type Promised } from "./load";
import type { Part } from "./part";
import { createRandom, expectKept, figure, greatest, type ChaosOptions } from "./scenario";
import { chooseGatewayUrl, World } from "./world";

const READY_WITHIN_MS = 5_000;
/** A delivery whose settlement was lost is sent again when its lease expires. */
const SETTLED_WITHIN_MS = 90_000;

export async function run({ seed, full }: ChaosOptions): Promise<void> {
  const restarts = full ? 20 : 2;
  const random = createRandom(seed);
  await using world = await World.create();
  const customer = await world.addCustomer("harbor", await world.startApp());
  const gatewayUrl = await chooseGatewayUrl();
  const parts = [await world.start("gateway", gatewayUrl), await world.start("worker", gatewayUrl)];
  const deliver: Deliver = (method, path, authorization, body) =>
    send(method, gatewayUrl + path, authorization, body).catch(() => undefined);
  const load = startLoad(deliver, customer, () => random.between(0, 50), random);
  const readyAfter = { gateway: [] as number[], worker: [] as number[] };
  for (let round = 0; round < restarts; round += 1) {
    await sleep(random.between(1_000, 3_000));
    await world.database.crash("SIGQUIT");
    await sleep(random.between(0, 2_000));
    await world.database.restart();
    const ready = await watchRecovery(load.promised, world.journalFile, parts);
    readyAfter.gateway.push(ready.gateway);
    readyAfter.worker.push(ready.worker);
  }
  await load.end();
  for (const part of parts) part.expectAlive();
  await untilSettled(world.platform, SETTLED_WITHIN_MS);
  const { duplicates } = await expectDelivered(world.platform, world.journalFile, load.promised.events);
  await expectRecorded(world.platform, customer, load.promised);
  figure("database_restarts", restarts, "restarts");
  figure("database_events", load.promised.events.length, "events");
  figure("database_calls", load.promised.calls, "calls");
  figure("database_state_changes", load.promised.revisions.length, "saves");
  figure("database_duplicates", duplicates, "receipts");
  figure("database_gateway_ready_after", greatest(readyAfter.gateway) / 1000, "s");
  figure("database_worker_ready_after", greatest(readyAfter.worker) / 1000, "s");
}

/** How long after the database it took until writes of every kind succeeded, and until the worker delivered events. */
async function watchRecovery(
  promised: Promised,
  journalFile: string,
  parts: readonly Part[],
): Promise<{ gateway: number; worker: number }> {
  const startedAt = Date.now();
  const before = { events: promised.events.length, calls: promised.calls, saves: promised.revisions.length };
  const took = async (what: string, isReady: () => boolean | Promise<boolean>) => {
    while (!(await isReady())) {
      for (const part of parts) part.expectAlive();
      expectKept(
        Date.now() - startedAt <= READY_WITHIN_MS,
        `The ${what} was not ready within 5 s of the database.${parts.map((part) => part.quoteLog()).join("")}`,
      );
      await sleep(50);
    }
    return Date.now() - startedAt;
  };
  const gateway = await took(
    "gateway",
    () =>
      promised.events.length > before.events &&
      promised.calls > before.calls &&
      promised.revisions.length > before.saves,
  );
  const isAfter = new Set(promised.events.slice(before.events));
  const worker = await took("worker", async () =>
    (await readJournal(journalFile)).some(({ eventId }) => isAfter.has(eventId)),
  );
  return { gateway, worker };
}
