/**
 * Whether an instance can't reach the state API that it was started with. An app that ends or doesn't answer then is not at fault: it
 * may depend on its state, and nobody serves it.
 */
import type { Pool } from "pg";
import { listStateApis } from "../platform/environment";
import type { Platform } from "../platform/platform";
import { isStateApiServed, type InstanceRow } from "./instance-queries";
import type { InstanceEnd } from "./instance-state-queries";

type Use = Pick<Platform, "db" | "pool" | "environment">;

const ANSWER_MS = 2_000;

/** By process: only an address that once answered here and doesn't now is known to be away. Networks may hide others from a worker. */
const reached = new WeakMap<Pool, Set<string>>();

const reachedBy = ({ pool }: Use): Set<string> => {
  const found = reached.get(pool) ?? new Set<string>();
  reached.set(pool, found);
  return found;
};

/** Remembers which state APIs of these instances answer. */
export async function noteStateApis(use: Use, instances: readonly InstanceRow[]): Promise<void> {
  const known = reachedBy(use);
  const origins = new Set(instances.flatMap(({ stateApi }) => (stateApi === null ? [] : [stateApi])));
  await Promise.all(
    [...origins].map(async (origin) => {
      if (!known.has(origin) && (await answers(origin))) known.add(origin);
    }),
  );
}

/** Any answer will do: it is the gateway's, or a proxy's in front of it. */
async function answers(origin: string): Promise<boolean> {
  return fetch(`${origin}/live`, { signal: AbortSignal.timeout(ANSWER_MS), redirect: "manual" }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status < 500;
    },
    () => false,
  );
}

/** The end of an instance, with the platform's reason instead of the app's if its state API is away. */
export async function blameStateApi<End extends Pick<InstanceEnd, "code" | "reason">>(
  use: Use,
  instance: Pick<InstanceRow, "stateApi">,
  end: End,
): Promise<End> {
  if (!CAUSED.includes(end.code) || !(await isAway(use, instance.stateApi))) return end;
  const reason = `${end.reason} The platform's state API was not available at the address that the app was started with.`;
  return { ...end, code: "STATE_API_MOVED", reason };
}

/** What an app may do that can't read its state. The others have nothing to do with it. */
const CAUSED: readonly InstanceEnd["code"][] = [
  "EXITED",
  "HEALTH_NOT_200",
  "HEALTH_TIMED_OUT",
  "PORT_NOT_BOUND",
];

async function isAway(use: Use, stateApi: string | null): Promise<boolean> {
  if (stateApi === null) return false;
  const isOwn = listStateApis(use.environment).includes(stateApi);
  if (!isOwn && !(await isStateApiServed(use.db, stateApi))) return true;
  return reachedBy(use).has(stateApi) && !(await answers(stateApi));
}
