/**
 * Stops and uninstalls installations while their keys are read again and again through two gateways: one second later, no key
 * reads anything. Then guesses keys: none opens, each gets the same answer, and the database does not notice.
 */
import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { v7 } from "uuid";
import { commandInstallation } from "@/lib/server/installations/command-installation";
import { sealStateKey } from "@/lib/server/platform/state-key";
import { givenInstallation, givenListing, givenMember, givenTenant, one } from "../test-platform";
import { type ChaosOptions, createRandom, expectKept, figure, greatest, type Random } from "./scenario";
import { chooseGatewayUrl, World } from "./world";

const DEAD_WITHIN_MS = 1_000;
/** Readers of each key at each gateway. */
const READERS = 2;
const AT_ONCE = 4;
const GUESSERS = 32;

export async function run({ seed, full }: ChaosOptions): Promise<void> {
  const random = createRandom(seed);
  await using world = await World.create();
  const urls = [await chooseGatewayUrl(), await chooseGatewayUrl()];
  const parts = await Promise.all(urls.map((url) => world.start("gateway", url)));
  const gateways = urls.map((url) => new Pool(url, { connections: GUESSERS }));
  const targets = await givenTargets(world, full ? 60 : 8);

  const lastAnswers: number[] = [];
  for (let at = 0; at < targets.length; at += AT_ONCE) {
    const group = targets.slice(at, at + AT_ONCE);
    lastAnswers.push(
      ...(await Promise.all(group.map((target) => endWhileRead(world, gateways, target, random)))),
    );
  }
  figure("dead_keys_ended", targets.length, "installations");
  figure("dead_keys_last_answer", greatest(lastAnswers), "ms after the stop or uninstall");
  expectKept(
    greatest(lastAnswers) < DEAD_WITHIN_MS,
    `A key was returned ${greatest(lastAnswers)} ms after its installation was stopped or uninstalled.`,
  );

  const guesses = full ? 1_000_000 : 20_000;
  const { key } = one(targets);
  const before = await countTransactions(world);
  const { bodies, hits } = await guessKeys(gateways, key, guesses);
  const transactions = (await countTransactions(world)) - before;
  figure("dead_keys_guesses", guesses, "guesses");
  figure("dead_keys_hits", hits, "hits");
  figure("dead_keys_transactions_per_guess", transactions / guesses, "transactions");
  expectKept(hits === 0, `${hits} of ${guesses} guesses were not answered with 404.`);
  expectKept(bodies.size === 1, `Wrong keys got ${bodies.size} different answers: ${[...bodies].join(" ")}`);
  expectKept(transactions < guesses / 100, `${guesses} guesses cost ${transactions} transactions.`);
  for (const part of parts) part.expectAlive();
  await Promise.all(gateways.map((gateway) => gateway.close()));
}

interface Target {
  key: string;
  end: (command: "stop" | "uninstall") => Promise<void>;
}

async function givenTargets({ platform }: World, count: number): Promise<Target[]> {
  const member = await givenMember(platform, "harbor");
  const { version } = await givenListing(platform, member, { state: "PUBLIC", verified: true });
  const targets: Target[] = [];
  for (let index = 0; index < count; index += 1) {
    const { tenant } = await givenTenant(platform, member, `tenant-${index}.core.example`, `Tenant ${index}`);
    const { installation, route } = await givenInstallation(platform, member, version, tenant.id);
    const key = sealStateKey(platform.keyring, {
      installationId: installation.id,
      routeId: route("autofill").id,
      attemptId: v7(),
      revision: 1,
      epoch: 0,
      expiresAt: new Date(Date.now() + 600_000),
    });
    const end = async (command: "stop" | "uninstall") => {
      await commandInstallation(platform, member, installation.id, command);
    };
    targets.push({ key, end });
  }
  return targets;
}

/** How many milliseconds after the end the last read that got an answer was sent; 0 if none was. */
async function endWhileRead(
  world: World,
  gateways: Pool[],
  { key, end }: Target,
  random: Random,
): Promise<number> {
  let reading = true;
  let lastAnsweredAt = 0;
  const readers = Promise.all(
    gateways.flatMap((gateway) =>
      Array.from({ length: READERS }, async () => {
        while (reading) {
          const sentAt = performance.now();
          const { status } = await get(gateway, key);
          if (status === 200) lastAnsweredAt = Math.max(lastAnsweredAt, sentAt);
          await sleep(1);
        }
      }),
    ),
  );
  // A reader that fails ends the scenario.
  for (let tries = 0; lastAnsweredAt === 0 && tries < 600; tries += 1)
    await Promise.race([readers, sleep(50)]);
  expectKept(lastAnsweredAt > 0, "A key of a running installation was not answered.");
  await Promise.race([readers, sleep(random.between(200, 900))]);
  await end(random.pick(["stop", "uninstall"]));
  const endedAt = performance.now();
  await Promise.race([readers, sleep(DEAD_WITHIN_MS + 500)]);
  reading = false;
  await readers;
  return Math.max(0, lastAnsweredAt - endedAt);
}

/** How many guesses were not answered with 404, and the different answers. */
async function guessKeys(
  gateways: Pool[],
  key: string,
  guesses: number,
): Promise<{ hits: number; bodies: Set<string> }> {
  const bodies = new Set<string>();
  let left = guesses;
  let hits = 0;
  const guessers = gateways.flatMap((gateway) =>
    Array.from({ length: GUESSERS }, async () => {
      while (left > 0) {
        left -= 1;
        const guess = left % 2 === 0 ? inventKey(key) : changeKey(key);
        const { status, body } = await get(gateway, guess);
        if (status !== 404) hits += 1;
        bodies.add(body);
      }
    }),
  );
  await Promise.all(guessers);
  return { hits, bodies };
}

/** As long as a real key. */
function inventKey(key: string): string {
  return `psk_${randomBytes(key.length)
    .toString("base64url")
    .slice(0, key.length - 4)}`;
}

/** A real key with one other character, behind the part that names its master key. */
function changeKey(key: string): string {
  const at = randomInt(12, key.length);
  const other = key[at] === "A" ? "B" : "A";
  return key.slice(0, at) + other + key.slice(at + 1);
}

async function get(gateway: Pool, key: string): Promise<{ status: number; body: string }> {
  const { statusCode, body } = await gateway.request({ method: "GET", path: `/state/${key}` });
  return { status: statusCode, body: await body.text() };
}

/** PostgreSQL's own count of what this database has done. Sessions report it when they are idle, within a second. */
async function countTransactions({ platform }: World): Promise<number> {
  await sleep(1_500);
  const { rows } = await platform.pool.query<{ n: string }>(
    "select xact_commit as n from pg_stat_database where datname = current_database()",
  );
  return Number(rows[0]?.n);
}
