/**
 * Whether an instance can't reach the state API that it was started with. An app that ends, fails a call or doesn't answer then is not at
 * fault: it may depend on its state, and nobody serves it.
 */
import type { Pool } from "pg";
import type { AppFault } from "@/lib/contract/platform/issue-codes";
import { listStateApis } from "../platform/environment";
import { isStateApiServed } from "../platform/lease-queries";
import type { Platform } from "../platform/platform";
import { shareReads } from "../platform/shared-reads";
import { selectStateApi } from "./route-queries";

type Use = Pick<Platform, "db" | "pool" | "environment">;

export const STATE_API_AWAY =
  "The platform's state API was not available at the address that the app was started with.";

const ANSWER_MS = 2_000;

/** By process: only an address that once answered here and doesn't now is known to be away. Networks may hide others from a worker. */
const reached = new WeakMap<Pool, Set<string>>();

const reachedBy = ({ pool }: Use): Set<string> => {
  const found = reached.get(pool) ?? new Set<string>();
  reached.set(pool, found);
  return found;
};

/** Remembers which state APIs of these instances answer. */
export async function noteStateApis(
  use: Use,
  instances: readonly { stateApi: string | null }[],
): Promise<void> {
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

export async function isStateApiAway(use: Use, stateApi: string | null): Promise<boolean> {
  if (stateApi === null) return false;
  const isOwn = listStateApis(use.environment).includes(stateApi);
  if (!isOwn && !(await isStateApiServed(use.db, stateApi))) return true;
  return reachedBy(use).has(stateApi) && !(await answers(stateApi));
}

/** Calls of an instance that fail at the same time ask once. */
const KNOWN_MS = 500;

const sharedLooks = shareReads<boolean>({ max: 10_000, freshMs: KNOWN_MS });

interface Failed {
  fault: AppFault | null;
  failure: string | null;
  status: number | null;
  instanceId: string | null;
}

/** What a failed call becomes if the app could not read its state: the platform's fault. The same call in all other cases. */
export async function excuseCall<Call extends Failed>(platform: Platform, call: Call): Promise<Call> {
  const { fault, failure, status, instanceId } = call;
  if (fault === null || instanceId === null || !isCaused(fault, status)) return call;
  const look = async () => isStateApiAway(platform, await selectStateApi(platform.db, instanceId));
  // Without an answer, the app's own is all there is.
  if (!(await sharedLooks(instanceId, look).catch(() => false))) return call;
  return { ...call, fault: "state-api-away", failure: `${failure ?? ""} ${STATE_API_AWAY}`.trim() };
}

/** What an app may do that can't read its state. Other failures have nothing to do with it. */
function isCaused(fault: AppFault, status: number | null): boolean {
  if (fault === "app-response-status") return status !== null && status >= 500;
  return fault === "app-timed-out" || fault === "app-response-incomplete";
}
