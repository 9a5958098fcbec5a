/**
 * The egress guards of a cluster: found by their Service's name, and told what each app's Pod may reach. Everything that an order needs is in
 * the cluster (Pods with labels and addresses) and in the database (rules), so any worker can write one, also one that just started.
 *
 * found by name → connected (each side proves that it has the key) → told, at each change; when a connection ends, from the start.
 */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { isIPv4, connect as openSocket } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { EgressPolicy, FailedPolicy, GuardOrder } from "@/lib/contract/runtime/egress";
import type { Peer } from "@/lib/domain/platform/network-peers";
import { CONTROL_PORT, proofText } from "@/lib/domain/runtime/egress/control";
import { type GuardLink, type GuardOptions, linkGuard } from "../engines/guard-link";
import { InstanceFailure, quoteMessage } from "../engines/runtime";
import { parseJson } from "./client";
import { GUARDED_LABEL, type GuardPlace, STATE_API_ANNOTATION } from "./objects";
import { hasEnded, type Pod, readVersionId } from "./pod";
import type { PodWatch } from "./watch";

export interface ClusterGuardOptions extends Pick<
  GuardOptions,
  "readAllowed" | "readAuthorities" | "noteCounts" | "places"
> {
  /** Comma-separated names that lead to the addresses of all guards. */
  service: string;
  /** A name that leads to the one address at which all of them answer names. */
  names: string;
  /** The guards' Pods, as policies name them. */
  pods: readonly Peer[];
  key: string;
  /** Ranges that no app reaches. */
  never: readonly string[];
}

export interface ClusterGuards {
  /** Throws an InstanceFailure if it isn't known now. */
  place(): Promise<GuardPlace>;
  /** Puts into force what all Pods may reach now. Throws an InstanceFailure if no guard responds. */
  refresh(): Promise<void>;
  /** Why the rules of a Pod are not in force, as a guard said. */
  explain(uid: string): string | undefined;
  /** Ends the connections. The guards run on. */
  close(): void;
}

const CONNECT_MS = 5_000;
const AGAIN_MS = 500;
/** How long the addresses of guards are believed. */
const FOUND_MS = 1_500;
const LOOPBACK = "127.0.0.0/8";

type Rest = Omit<GuardOrder, "sequence" | "from">;

interface Connected extends GuardLink {
  /** What it knows. */
  told: string;
}

export function createClusterGuards(watch: PodWatch, options: ClusterGuardOptions): ClusterGuards {
  const from = randomUUID();
  const links = new Map<string, Connected>();
  const connecting = new Map<string, Promise<void>>();
  let isClosed = false;
  let sequence = 0;
  let lastFailure = "no guard was found";
  let found: string[] = [];
  let foundAt = -Infinity;
  let failures: readonly FailedPolicy[] = [];
  let round: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const stopWatching = watch.onChange(() => void refresh().catch(() => undefined));

  /** One round at a time, so that an older state never replaces a newer one. One that has begun may have missed what changed meanwhile. */
  function refresh(): Promise<void> {
    if (next !== undefined) return next;
    if (round === undefined) return begin();
    next = round
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  }

  function begin(): Promise<void> {
    round = tellAll().finally(() => (round = undefined));
    return round;
  }

  async function tellAll(): Promise<void> {
    if (isClosed) return;
    if (performance.now() - foundAt > FOUND_MS) await find();
    for (const address of found) if (!links.has(address)) void reach(address);
    // One that doesn't respond delays no app, as long as another does.
    if (links.size === 0) await Promise.all(connecting.values());
    if (links.size === 0) throw awayFailure(lastFailure);
    const rest = await describeApps(watch, options, found);
    const results = await Promise.allSettled([...links.values()].map((link) => tell(link, rest)));
    const answers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    if (answers.length === 0) throw awayFailure(lastFailure);
    failures = answers.flat();
  }

  /** While names can't be looked up, the guards are where they were. */
  async function find(): Promise<void> {
    try {
      found = await findAll(options.service);
      foundAt = performance.now();
    } catch (error) {
      lastFailure = describe(error);
    }
  }

  /** Returns what is not in force. */
  async function tell(link: Connected, rest: Rest): Promise<readonly FailedPolicy[]> {
    const now = JSON.stringify(rest);
    if (now === link.told) return [];
    sequence += 1;
    try {
      const failed = await link.tell({ sequence, from, ...rest });
      link.told = failed.length === 0 ? now : "";
      return failed;
    } catch (error) {
      lastFailure = describe(error);
      link.close();
      throw error;
    }
  }

  /** Until it is there, or gone: one that starts has no rules, and leads nobody to itself before. */
  async function reachAgain(address: string): Promise<void> {
    await sleep(AGAIN_MS, undefined, { ref: false });
    if (performance.now() - foundAt > FOUND_MS) await find();
    if (!isClosed && !links.has(address) && found.includes(address)) await reach(address);
  }

  /** Connects to it, unless that is under way. Never throws. */
  function reach(address: string): Promise<void> {
    const attempt = connecting.get(address) ?? connectTo(address).finally(() => connecting.delete(address));
    connecting.set(address, attempt);
    return attempt;
  }

  async function connectTo(address: string): Promise<void> {
    try {
      const link = await connectGuard(address, options, from);
      if (isClosed) {
        link.close();
        return;
      }
      links.set(address, { ...link, told: "" });
      void link.ended.then(() => {
        links.delete(address);
        void reachAgain(address);
      });
      void refresh().catch(() => undefined);
    } catch (error) {
      lastFailure = `${address}: ${describe(error)}`;
      void reachAgain(address);
    }
  }

  return {
    place: async () => {
      const [[nameServer], guards] = await Promise.all([
        findAll(options.names),
        findAll(options.service),
      ]).catch((error: unknown) => {
        throw awayFailure(describe(error));
      });
      if (nameServer === undefined || guards.length === 0) throw awayFailure(lastFailure);
      return { nameServer, guards, pods: options.pods };
    },
    refresh,
    explain: (uid) => failures.find(({ id }) => id === uid)?.reason,
    close: () => {
      isClosed = true;
      stopWatching();
      for (const link of links.values()) link.close();
    },
  };
}

function awayFailure(why: string): InstanceFailure {
  return new InstanceFailure(
    "NETWORK_FAILED",
    `No egress guard of the cluster can be used (${quoteMessage(why)}). Check the guard's Pods, PLATFORM_EGRESS_SERVICE, PLATFORM_EGRESS_NAMES, and that guards and workers have the same PLATFORM_EGRESS_KEY.`,
  );
}

const describe = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The IPv4 addresses of comma-separated names, in a stable order. */
async function findAll(names: string): Promise<string[]> {
  const all = await Promise.all(
    names.split(",").map((name) => lookup(name.trim(), { all: true, family: 4 })),
  );
  return [...new Set(all.flat().map(({ address }) => address))].sort();
}

// Its rules.

async function describeApps(
  watch: PodWatch,
  { readAllowed, readAuthorities, never, places = [] }: ClusterGuardOptions,
  guards: readonly string[],
): Promise<Rest> {
  const all = await watch.list();
  const pods = all.filter((pod) => isGuarded(pod) && !hasEnded(pod) && isIPv4(pod.status.podIP));
  const allowed = await readAllowed([...new Set(pods.map(readVersionId))].filter((id) => id !== ""));
  const policies = pods
    .map((pod): EgressPolicy => {
      const { uid, creationTimestamp, annotations } = pod.metadata;
      const stateApi = new URL(annotations[STATE_API_ANNOTATION] ?? "http://127.0.0.1");
      const versionId = readVersionId(pod);
      return {
        id: uid,
        versionId,
        appAddress: pod.status.podIP,
        createdAt: Date.parse(creationTimestamp) || 0,
        stateApi: { host: stateApi.hostname, port: Number(stateApi.port || 80) },
        ...(allowed.get(versionId) ?? { anyHost: false, rules: [] }),
      };
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const addresses = [...all.flatMap(({ status }) => [status.hostIP, status.podIP]), ...guards];
  const single = [...new Set(addresses)].filter((address) => isIPv4(address)).sort();
  const authorities = (await readAuthorities?.()) ?? "";
  return { policies, own: [], places, never: [LOOPBACK, ...never, ...single], authorities };
}

export function isGuarded({ metadata }: Pod): boolean {
  return metadata.labels[GUARDED_LABEL] !== undefined;
}

// The connection.

const challengeShape = z.object({ nonce: z.string().min(16) });
const proofShape = z.object({ proof: z.string() });

/** Throws an error that says what is wrong. */
async function connectGuard(
  address: string,
  { key, noteCounts }: ClusterGuardOptions,
  from: string,
): Promise<GuardLink> {
  const signal = AbortSignal.timeout(CONNECT_MS);
  const socket = openSocket({ host: address, port: CONTROL_PORT, noDelay: true, keepAlive: true });
  const lines = createInterface({ input: socket });
  // What breaks off ends the link.
  for (const each of [socket, lines]) each.on("error", () => undefined);
  const link = linkGuard({
    stream: socket,
    lines,
    from,
    // Each guard counts for itself, so each has counters of its own.
    noteCounts: (boot, counts) =>
      noteCounts?.(
        boot,
        counts.map((count) => ({ ...count, id: `${count.id}/${boot}` })),
      ),
  });
  try {
    await once(socket, "connect", { signal });
    const readLine = () =>
      Promise.race([
        once(lines, "line", { signal }).then(([line]) => parseJson(String(line))),
        link.ended.then(() => Promise.reject(new Error("it closed the connection"))),
      ]);
    const challenge = challengeShape.parse(await readLine());
    const nonces = { guard: challenge.nonce, worker: randomBytes(32).toString("hex") };
    const prove = (side: "guard" | "worker") =>
      createHmac("sha256", key).update(proofText(side, nonces)).digest();
    socket.write(
      `${JSON.stringify({ nonce: nonces.worker, proof: prove("worker").toString("base64url") })}\n`,
    );
    const answered = Buffer.from(proofShape.parse(await readLine()).proof, "base64url");
    const expected = prove("guard");
    if (answered.length !== expected.length || !timingSafeEqual(answered, expected))
      throw new Error("it does not have the key");
    return { ...link, close: () => socket.destroy() };
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? new Error("it did not respond") : error;
  }
}
