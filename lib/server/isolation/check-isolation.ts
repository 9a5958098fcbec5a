import type { IsolationPlace } from "@/lib/contract/isolation";
import { Problem } from "@/lib/contract/problem";
import { describeIsolation, isAsExpected } from "@/lib/domain/isolation/judge-isolation";
import type { Platform } from "../platform/platform";
import type { Runtimes } from "../runtimes/choose-runtime";
import { InstanceFailure } from "../runtimes/instance-failure";
import { listPlaces } from "./list-places";
import * as queries from "./queries";
import { readIsolation } from "./read-isolation";

/**
 * Runs checks that were requested. Requests one itself when the worker starts, and when containers get another way to the
 * state API. Call it every few seconds.
 */
export function createIsolationChecker(platform: Platform, runtimes: Runtimes): () => Promise<void> {
  let checkedStateApi: string | undefined;
  let checking = false;
  return async () => {
    if (checking) return;
    checking = true;
    try {
      const { PLATFORM_STATE_API_CONTAINER: stateApi } = platform.environment;
      if (checkedStateApi !== stateApi) await queries.request(platform.db);
      checkedStateApi = stateApi;
      if (await queries.claim(platform.db)) await checkIsolation(platform, runtimes);
    } finally {
      checking = false;
    }
  };
}

/** Checks what apps can reach, and stores the result. */
export async function checkIsolation(platform: Platform, runtimes: Runtimes): Promise<void> {
  const startedAt = performance.now();
  const result = await probe(platform, runtimes).catch((error: unknown) => explain(platform, error));
  await queries.end(platform.db, {
    ...{ problem: null, places: [] },
    ...result,
    durationMs: Math.round(performance.now() - startedAt),
  });
  const lines = describeIsolation(await readIsolation(platform), getPageUrl(platform));
  const isGood = "places" in result && result.places.every(isAsExpected);
  if (isGood) platform.log.info(lines.join("\n"));
  else platform.log.warn(lines.join("\n"));
}

export function getPageUrl({ environment }: Platform): string {
  return new URL("/moderation/isolation", environment.PLATFORM_WEB_URL).href;
}

async function probe(
  { db, environment }: Platform,
  runtimes: Runtimes,
): Promise<{ places: IsolationPlace[] }> {
  const runtime = await runtimes.findIsolating();
  if (runtime?.probe === undefined)
    throw new InstanceFailure(
      "RUNTIME_NOT_AVAILABLE",
      "Apps run as plain processes without isolation, because no container engine is used. They can reach everything that this machine can.",
    );
  const places = await listPlaces(environment, await queries.selectCores(db));
  const results = await runtime.probe(places.flatMap(({ targets }) => targets));
  let next = 0;
  return {
    places: places.map(({ name, expected, targets, commands }) => {
      const tried = results.slice(next, (next += targets.length));
      const isExpected = isAsExpected({ expected, tried });
      return { name, expected, tried, commands: isExpected ? [] : commands };
    }),
  };
}

function explain({ log }: Platform, error: unknown): { problem: string } {
  if (error instanceof Problem) return { problem: error.detail };
  log.error({ err: error }, "what apps can reach could not be checked");
  return { problem: "The platform made an error during the check. The worker's log has the cause." };
}
