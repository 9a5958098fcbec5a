/** Which replica of an app gets a request: the one with the fewest of this process's requests in progress. */
import { LRUCache } from "lru-cache";

export interface Replica {
  /** The instance's; null for the app of an automatic check, which has no row. */
  id: string | null;
  /** Of all replicas that run at the same time, each has its own. */
  origin: string;
}

interface Use {
  inProgress: number;
  /** Counts requests, so that replicas with equally many in progress take turns. */
  lastAt: number;
}

const UNUSED: Use = { inProgress: 0, lastAt: 0 };
const uses = new LRUCache<string, Use>({ max: 10_000 });
let requests = 0;

export function chooseReplica(replicas: readonly Replica[]): Replica | undefined {
  let [chosen] = replicas;
  for (const replica of replicas.slice(1))
    if (chosen === undefined || isBefore(replica, chosen)) chosen = replica;
  return chosen;
}

function isBefore(one: Replica, other: Replica): boolean {
  const [a, b] = [uses.get(one.origin) ?? UNUSED, uses.get(other.origin) ?? UNUSED];
  return a.inProgress === b.inProgress ? a.lastAt < b.lastAt : a.inProgress < b.inProgress;
}

/** Counts a request as in progress until the returned function is called, once. */
export function countRequest({ id, origin }: Replica): () => void {
  const use = uses.get(origin) ?? { inProgress: 0, lastAt: 0 };
  uses.set(origin, use);
  use.inProgress += 1;
  use.lastAt = requests += 1;
  if (id === null) return () => void (use.inProgress -= 1);
  const load = loads.get(id) ?? { inProgress: 0, sinceMs: performance.now(), spentMs: 0 };
  loads.set(id, load);
  addCalls(load, 1);
  return () => {
    use.inProgress -= 1;
    addCalls(load, -1);
  };
}

/** An instance's requests since the last `takeLoads`. */
interface Load {
  inProgress: number;
  /** Until when `spentMs` counts. */
  sinceMs: number;
  /** The time that its requests took, side by side. */
  spentMs: number;
}

const loads = new Map<string, Load>();
let takenMs = performance.now();

function addCalls(load: Load, count: number): void {
  const now = performance.now();
  load.spentMs += load.inProgress * (now - load.sinceMs);
  load.sinceMs = now;
  load.inProgress += count;
}

/** How many requests of this process each instance had in progress, on average since the last time, by the instance's id. */
export function takeLoads(): ReadonlyMap<string, number> {
  const overMs = Math.max(1, performance.now() - takenMs);
  takenMs += overMs;
  const taken = new Map<string, number>();
  for (const [id, load] of loads) {
    addCalls(load, 0);
    taken.set(id, load.spentMs / overMs);
    load.spentMs = 0;
    if (load.inProgress === 0) loads.delete(id);
  }
  return taken;
}

interface Sent<Answer> {
  answer: Answer;
  instanceId: string | null;
  /** Those that didn't accept the connection, so that another one got the request. */
  passedOver: readonly string[];
  /** Must be called when the answer was read. */
  end: () => void;
}

/** Sends a request to one replica after another, until one gets it. Undefined if there is none. */
export async function sendToReplica<Answer>(
  replicas: readonly Replica[],
  send: (origin: string) => Promise<Answer>,
  mayPassOn: (answer: Answer) => boolean,
): Promise<Sent<Answer> | undefined> {
  const passedOver: string[] = [];
  for (let left = replicas; ;) {
    const replica = chooseReplica(left);
    if (replica === undefined) return undefined;
    const end = countRequest(replica);
    const answer = await send(replica.origin);
    left = left.filter((other) => other !== replica);
    if (left.length === 0 || !mayPassOn(answer)) return { answer, instanceId: replica.id, passedOver, end };
    end();
    if (replica.id !== null) passedOver.push(replica.id);
  }
}

/** What can be called of an instance. */
export function toReplicas(instance: { id: string; origin: string | null } | undefined): readonly Replica[] {
  const { id, origin = null } = instance ?? {};
  return id === undefined || origin === null ? [] : [{ id, origin }];
}
