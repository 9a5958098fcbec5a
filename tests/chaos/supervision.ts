/**
 * `kill -9` of the platform with its database, of the container engine, and of both, at seeded moments while apps are launched,
 * upgraded and stopped. Within 30 s of the restart, exactly what the database wants runs: nothing doubled, nothing left.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { TemporaryEngine } from "./engine";
import type { Part } from "./part";
import { createRandom, expectKept, figure, greatest, type ChaosOptions, type Random } from "./scenario";
import { launchApp, openRuntime, type SupervisedApp } from "./supervised-apps";
import { chooseGatewayUrl, World } from "./world";

const RECOVERED_WITHIN_MS = 30_000;
/** The short form runs beside other tests, so its time says nothing. */
const SHORT_WITHIN_MS = 120_000;
const KILLED_WITHIN_MS = 1_500;
const STARTED_WITHIN_MS = 500;

const ACTIONS = ["launch", "upgrade", "stop"] as const;
type Action = (typeof ACTIONS)[number];
const VICTIMS = ["platform", "engine", "both"] as const;
type Victim = (typeof VICTIMS)[number];

export async function run({ seed, full }: ChaosOptions): Promise<void> {
  const engine = await TemporaryEngine.start();
  if (engine === undefined)
    console.log("supervision: with processes, because no engine of its own can be started here");
  try {
    await superviseUnderKills(engine, createRandom(seed), full);
  } finally {
    // An error here must not hide the one before.
    await engine?.end().catch((error: unknown) => console.error("The engine did not end cleanly.", error));
  }
}

async function superviseUnderKills(
  engine: TemporaryEngine | undefined,
  random: Random,
  full: boolean,
): Promise<void> {
  const containers = engine && {
    PLATFORM_RUNTIME: "docker",
    DOCKER_HOST: `unix://${engine.socketPath}`,
    PLATFORM_APP_SUBNETS: engine.subnets,
    // This engine leaves the machine's firewall alone, which may drop what the guard and an app send each other.
    PLATFORM_EGRESS: "open",
  };
  await using world = await World.create(containers);
  const gatewayUrl = await chooseGatewayUrl();
  const apps: SupervisedApp[] = [];
  for (let number = 0; number < (full ? 6 : 3); number += 1)
    apps.push(await launchApp(world.platform, `customer-${number}`, engine !== undefined));
  const site = new Site(world, engine, [
    await world.start("gateway", gatewayUrl),
    await world.start("worker", gatewayUrl),
  ]);
  const withinMs = full ? RECOVERED_WITHIN_MS : SHORT_WITHIN_MS;
  await site.untilRunning(withinMs);
  const took: number[] = [];
  const count: Record<Action | Victim, number> = {
    launch: 0,
    upgrade: 0,
    stop: 0,
    platform: 0,
    engine: 0,
    both: 0,
  };
  const victims = engine === undefined ? (["platform"] as const) : VICTIMS;
  for (let round = 0; round < (full ? 50 : 4); round += 1) {
    const victim = victims[Math.floor(round / ACTIONS.length + round) % victims.length] ?? "platform";
    const action = await site.act(ACTIONS[round % ACTIONS.length] ?? "launch", apps, random);
    await sleep(random.between(0, KILLED_WITHIN_MS));
    await site.kill(victim);
    await sleep(random.between(0, STARTED_WITHIN_MS));
    const startedAt = Date.now();
    await site.restart();
    await site.untilRunning(withinMs - (Date.now() - startedAt)).catch((error: unknown) => {
      throw new Error(`After point ${round + 1} (${action}, kill -9 of ${victim})`, { cause: error });
    });
    const seconds = (Date.now() - startedAt) / 1_000;
    console.log(
      `supervision point ${round + 1}: ${action}, kill -9 of ${victim}, recovered in ${seconds.toFixed(1)} s`,
    );
    took.push(seconds);
    count[victim] += 1;
    count[action] += 1;
  }
  figure("supervision_points", took.length, "kills");
  for (const [name, number] of Object.entries(count)) figure(`supervision_${name}`, number, "points");
  figure("supervision_failed_upgrades", await site.countFailedUpgrades(), "upgrades");
  figure("supervision_engine_repairs", engine?.repairs ?? 0, "repairs");
  figure("supervision_recovered_seconds_max", greatest(took), "s");
  figure("supervision_recovered_seconds_mean", took.reduce((sum, each) => sum + each, 0) / took.length, "s");
}

interface Wanted {
  version_id: string;
  handle: string | null;
  origin: string | null;
  state: string | null;
}

class Site {
  private isEngineDown = false;
  private isDatabaseDown = false;

  constructor(
    private readonly world: World,
    private readonly engine: TemporaryEngine | undefined,
    private parts: Part[],
  ) {}

  /** Does it to two apps, if there are, or the next action that can be done to any. */
  async act(action: Action, apps: readonly SupervisedApp[], random: Random): Promise<Action> {
    const able = await this.findAble(action, apps);
    if (able.length === 0) return this.act(action === "launch" ? "stop" : "launch", apps, random);
    for (let tries = 0; tries < 2 && able.length > 0; tries += 1) {
      const [app] = able.splice(random.between(0, able.length - 1), 1);
      if (app === undefined) continue;
      // Half of the starts load the image first.
      if (action !== "stop" && random.next() < 0.5) await this.forgetImages(app);
      if (action === "launch") await app.start();
      if (action === "stop") await app.stop();
      if (action === "upgrade") await app.upgrade();
    }
    return action;
  }

  private async findAble(action: Action, apps: readonly SupervisedApp[]): Promise<SupervisedApp[]> {
    const { rows } = await this.world.platform.pool.query<{ id: string }>(
      `select id from installations where state = $1 and other_version_id is null`,
      [action === "launch" ? "STOPPED" : "RUNNING"],
    );
    const ids = new Set(rows.map(({ id }) => id));
    return apps.filter(({ installationId }) => ids.has(installationId));
  }

  private async forgetImages({ images }: SupervisedApp): Promise<void> {
    // An image of a running container stays.
    for (const image of images)
      await this.engine?.docker
        .getImage(image)
        .remove()
        .catch(() => undefined);
  }

  async kill(victim: Victim): Promise<void> {
    for (const part of this.parts) part.expectAlive();
    const ends: Promise<unknown>[] = [];
    if (victim !== "engine")
      ends.push(...this.parts.map((part) => part.kill()), this.world.database.crash("SIGKILL"));
    this.isDatabaseDown = victim !== "engine";
    this.isEngineDown = victim !== "platform";
    if (this.isEngineDown && this.engine !== undefined) ends.push(this.engine.crash());
    await Promise.all(ends);
  }

  async restart(): Promise<void> {
    const restartPlatform = async () => {
      if (this.isDatabaseDown) await this.world.database.restart();
      this.parts = await Promise.all(
        this.parts.map((part) => (part.hasExited ? this.world.restart(part) : part)),
      );
    };
    await Promise.all([restartPlatform(), this.isEngineDown ? this.engine?.restart() : undefined]);
    this.isEngineDown = false;
    this.isDatabaseDown = false;
    // Calls in progress of upgrades are none, so there is nothing to wait for.
    await this.world.platform.pool.query(
      "update upgrades set switched_at = switched_at - interval '1 minute' where state = 'DRAINING'",
    );
  }

  /** Resolves when what runs is what the database wants, and nothing is about to change. */
  async untilRunning(withinMs: number): Promise<void> {
    const until = Date.now() + withinMs;
    for (;;) {
      const difference = await this.findDifference().catch(String);
      if (difference === undefined) return;
      for (const part of this.parts) part.expectAlive();
      expectKept(
        Date.now() < until,
        `What runs is not what must run: ${difference}${this.parts.map((part) => part.quoteLog()).join("")}`,
      );
      await sleep(100);
    }
  }

  private async findDifference(): Promise<string | undefined> {
    const moving = await this.describeMoving();
    if (moving !== "") return moving;
    const { rows: wanted } = await this.world.platform.pool.query<Wanted>(WANTED);
    const runtime = openRuntime(this.world.platform, this.engine, this.world.root);
    const found = await runtime.list();
    const handles = wanted.map(({ handle }) => handle ?? "none").sort();
    const running = found.map(({ handle }) => handle).sort();
    if (handles.join() !== running.join()) return describe(wanted, found);
    if (((await runtime.listNetworks?.()) ?? []).length > 0) return "A network is left.";
    for (const { origin, state } of wanted)
      if (state !== "READY" || !(await isHealthy(origin))) return `${origin} is not healthy (${state}).`;
    return undefined;
  }

  private async describeMoving(): Promise<string> {
    const { rows } = await this.world.platform.pool.query<{ what: string }>(MOVING);
    return rows.map(({ what }) => what).join(", ");
  }

  async countFailedUpgrades(): Promise<number> {
    const { rowCount } = await this.world.platform.pool.query(
      "select 1 from upgrades where state = 'FAILED'",
    );
    return rowCount ?? 0;
  }
}

/** Versions that must run, each with every live instance that it has. */
const WANTED = `
  with wanted as (
    select version_id from installations where state = 'RUNNING'
     union select other_version_id from installations where other_version_id is not null)
  select w.version_id, n.handle, n.origin, n.state
    from wanted w left join instances n on n.version_id = w.version_id and n.state in ('STARTING', 'READY')`;

/** What is not where it will stay. An installation in ERROR is none of what its customer asked for. */
const MOVING = `
  select 'installation ' || id || ' is ' || state || coalesce(': ' || reason, '') as what from installations
   where state not in ('RUNNING', 'STOPPED')
   union all select 'upgrade ' || id || ' is ' || state from upgrades where state = 'STARTING'`;

function describe(
  wanted: readonly Wanted[],
  found: readonly { handle: string; versionId: string }[],
): string {
  const rows = wanted.map(
    ({ version_id, handle, state }) => `${version_id} ${state} ${handle?.slice(0, 12)}`,
  );
  const runs = found.map(({ versionId, handle }) => `${versionId} ${handle.slice(0, 12)}`);
  return `wanted\n${rows.sort().join("\n")}\nbut found\n${runs.sort().join("\n")}`;
}

async function isHealthy(origin: string | null): Promise<boolean> {
  if (origin === null) return false;
  const answer = await request(`${origin}/health`).catch(() => undefined);
  await answer?.body.dump();
  return answer?.statusCode === 200;
}
