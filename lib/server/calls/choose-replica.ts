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
export function countRequest({ origin }: Replica): () => void {
  const use = uses.get(origin) ?? { inProgress: 0, lastAt: 0 };
  uses.set(origin, use);
  use.inProgress += 1;
  use.lastAt = requests += 1;
  return () => void (use.inProgress -= 1);
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
