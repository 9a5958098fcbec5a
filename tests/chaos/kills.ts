/**
 * `kill -9` of the worker, of an app, and of the whole tree with PostgreSQL, at seeded moments while events are accepted and
 * delivered. No accepted event is lost, none waits over 60 s because of a kill, the app gets an event again only if it was in
 * flight, and always with the same id.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { describeInstances, expectDelivered, longestWait, untilSettled } from "./deliveries";
import { createEvent, sendUntilAccepted } from "./core";
import type { Part } from "./part";
import { createRandom, expectKept, figure, type ChaosOptions, type Random } from "./scenario";
import { chooseGatewayUrl, World, type Customer } from "./world";

const LONGEST_WAIT_S = 60;
/**
 * An app restarts later the more often it failed in an hour, as it should: more apps, fewer failures of each. Their number is not a
 * multiple of three, so that the kills of apps reach all of them.
 */
const FULL: Extent = { kills: 200, events: 50, apps: 16 };
const IN_CONTAINERS: Extent = { kills: 40, events: 50, apps: 7 };
const SHORT: Extent = { kills: 10, events: 20, apps: 4 };
const APP_TAKES_MS = 200;
const KILLED_WITHIN_MS = 600;
const KILL_TRIES = 300;

interface Extent {
  kills: number;
  /** For each kill. */
  events: number;
  apps: number;
}

const VICTIMS = ["worker", "app", "tree"] as const;
type Victim = (typeof VICTIMS)[number];

export async function run({ seed, full }: ChaosOptions): Promise<void> {
  await killUnderLoad("kills", await World.create(), full ? FULL : SHORT, createRandom(seed));
}

/** The same with apps in containers. Their start takes so long that there is no short form. */
export async function runInContainers({ seed }: ChaosOptions): Promise<void> {
  const world = await World.createWithContainers();
  if (world === undefined) console.log("containers: skipped, because no container engine responds");
  else await killUnderLoad("kills_in_containers", world, IN_CONTAINERS, createRandom(seed));
}

async function killUnderLoad(
  name: string,
  created: World,
  { kills, events, apps }: Extent,
  random: Random,
): Promise<void> {
  await using world = created;
  const customers = await addCustomers(world, apps);
  const gatewayUrl = await chooseGatewayUrl();
  const site = new Site(
    world,
    await world.start("gateway", gatewayUrl),
    await world.start("worker", gatewayUrl),
  );
  const accepted: string[] = [];
  const first = random.between(0, VICTIMS.length - 1);
  const killed: Record<Victim, number> = { worker: 0, app: 0, tree: 0 };
  for (let round = 0; round < kills; round += 1) {
    const target = customers[round % customers.length] ?? customers[0];
    await site.untilReady(target);
    const sending = Promise.all(
      Array.from({ length: events }, async (_, number) => {
        const event = createEvent(`evt-${round}-${number}`, random.between(0, APP_TAKES_MS));
        const customer = random.pick(customers);
        await sleep(random.between(0, KILLED_WITHIN_MS));
        await sendUntilAccepted(gatewayUrl, customer, event);
        accepted.push(event.id);
      }),
    );
    const victim = VICTIMS[(first + round) % VICTIMS.length] ?? "worker";
    await sleep(random.between(0, KILLED_WITHIN_MS));
    await site.kill(victim, target, random);
    killed[victim] += 1;
    await sending;
  }
  await untilSettled(world.platform, 2 * LONGEST_WAIT_S * 1000);
  const { histories, duplicates } = await expectDelivered(world.platform, world.journalFile, accepted);
  const waited = longestWait(histories);
  const inFlight = histories.reduce((sum, { cut }) => sum + cut, 0);
  figure(`${name}_deliveries`, accepted.length, "deliveries");
  for (const victim of VICTIMS) figure(`${name}_${victim}`, killed[victim], "kills");
  figure(`${name}_in_flight`, inFlight, "attempts");
  figure(`${name}_duplicates`, duplicates, "receipts");
  figure(`${name}_longest_wait`, waited, "s");
  if (waited > LONGEST_WAIT_S)
    for (const { text } of await describeInstances(world.platform)) console.log(text);
  expectKept(waited <= LONGEST_WAIT_S, `An accepted event waited ${waited.toFixed(1)} s.`);
}

async function addCustomers(world: World, count: number): Promise<[Customer, ...Customer[]]> {
  const first = await world.addCustomer("customer-0");
  const rest: Customer[] = [];
  for (let number = 1; number < count; number += 1) rest.push(await world.addCustomer(`customer-${number}`));
  return [first, ...rest];
}

class Site {
  constructor(
    private readonly world: World,
    private gateway: Part,
    private worker: Part,
  ) {}

  async kill(victim: Victim, { versionId }: Customer, random: Random): Promise<void> {
    this.gateway.expectAlive();
    this.worker.expectAlive();
    if (victim === "app") return this.killApp(versionId);
    if (victim === "worker") {
      await this.worker.kill();
      this.worker = await this.world.restart(this.worker);
      return;
    }
    await Promise.all([this.gateway.kill(), this.worker.kill(), this.world.database.crash("SIGKILL")]);
    await sleep(random.between(0, 500));
    await this.world.database.restart();
    [this.gateway, this.worker] = await Promise.all([
      this.world.restart(this.gateway),
      this.world.restart(this.worker),
    ]);
  }

  /** After the kill of its worker, the app may be about to start. */
  private async killApp(versionId: string): Promise<void> {
    for (let tries = 0; !(await this.world.apps.kill(versionId)); tries += 1) {
      if (tries === KILL_TRIES) throw new Error(`An app did not run for 30 s.${this.worker.quoteLog()}`);
      await sleep(100);
    }
  }

  /** The app runs, so that there is something to kill. */
  async untilReady({ versionId }: Customer): Promise<void> {
    for (let tries = 0; tries < 600; tries += 1) {
      const { rowCount } = await this.world.platform.pool.query(
        "select 1 from instances where version_id = $1 and state = 'READY'",
        [versionId],
      );
      if (rowCount === 1) return;
      await sleep(100);
    }
    throw new Error(`An app was not started again within a minute.${this.worker.quoteLog()}`);
  }
}
