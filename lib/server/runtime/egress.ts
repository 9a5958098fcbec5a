import { readFile } from "node:fs/promises";
import type { AllowedHosts } from "@/lib/contract/runtime/egress";
import { listOptionalHosts, withoutRefused } from "@/lib/domain/catalog/rights";
import { allowHosts } from "@/lib/domain/runtime/egress/allowed-hosts";
import { listOwnPlaces } from "../platform/environment";
import type { Platform } from "../platform/platform";
import * as queries from "./egress-queries";
import type { Runtimes } from "./engines/choose-runtime";
import type { GuardOptions } from "./engines/guard-link";
import { createEgressRecorder } from "./record-egress";
import { EGRESS_GUARD_UP } from "./start-metrics";

/** What the egress guard needs to know of this platform; undefined if apps use the network of their machine or cluster. */
export function guardOptions(
  platform: Pick<Platform, "db" | "environment" | "log">,
): GuardOptions | undefined {
  const { PLATFORM_EGRESS: egress, NODE_EXTRA_CA_CERTS: authorities } = platform.environment;
  if (egress === "open") return undefined;
  const recorder = createEgressRecorder(platform);
  // Node has read it when the worker started, and doesn't read it again. The launcher refuses a file that can't be read.
  const trusted = authorities === "" ? "" : readFile(authorities, "utf8").catch(() => "");
  return {
    isRequired: egress === "guard",
    places: listOwnPlaces(platform.environment),
    readAuthorities: async () => trusted,
    readAllowed: (versionIds) => {
      recorder.watch(versionIds);
      return readAllowed(platform, versionIds);
    },
    // At most each second the hosts whose counts changed, and all of them after a worker connected: the same ones may come twice.
    noteCounts: (_boot, counts) => recorder.note(counts),
  };
}

/**
 * What each of the versions may reach: what its manifest declares, except for what all its customers refused, what they entered, and
 * their cores. The same for an
 * automatic check of a version, which has made-up customers.
 * @param ids of versions and of automatic checks
 */
export async function readAllowed(
  { db, environment }: Pick<Platform, "db" | "environment">,
  ids: readonly string[],
): Promise<Map<string, AllowedHosts>> {
  if (ids.length === 0) return new Map();
  const manifests = await queries.selectManifests(db, ids);
  const named = new Map(
    manifests.map(({ versionId, manifest }) => [
      versionId,
      (manifest.core?.hosts ?? []).flatMap(({ setting }) => (setting === undefined ? [] : [setting])),
    ]),
  );
  const withSettings = [...named].filter(([, settings]) => settings.length > 0);
  const withOptional = manifests.filter(({ manifest }) => listOptionalHosts(manifest).length > 0);
  const [cores, refused, entered] = await Promise.all([
    queries.selectCoresOf(db, [...named.keys()]),
    withOptional.length === 0
      ? []
      : queries.selectRefusedByAll(
          db,
          withOptional.map(({ versionId }) => versionId),
        ),
    withSettings.length === 0
      ? []
      : queries.selectEntered(
          db,
          withSettings.map(([versionId]) => versionId),
          [...new Set(withSettings.flatMap(([, settings]) => settings))],
        ),
  ]);
  return new Map(
    manifests.map(({ id, versionId, manifest }) => {
      // In a stable order, so that the same rules make the same order to the guard.
      const own = cores
        .filter((core) => core.versionId === versionId)
        .sort((one, other) => (one.url < other.url ? -1 : 1));
      const values = entered
        .filter((value) => value.versionId === versionId)
        .sort((one, other) => (one.value < other.value ? -1 : 1));
      const refusedByAll = refused.filter((each) => each.versionId === versionId).map(({ host }) => host);
      return [
        id,
        allowHosts(withoutRefused(manifest, refusedByAll).core?.hosts, {
          cores: own.map((core) => ({ url: core.url, mayBePrivate: mayBePrivate(environment, core) })),
          valuesOf: (setting) => values.filter(({ name }) => name === setting).map(({ value }) => value),
        }),
      ];
    }),
  );
}

/** The same as the platform allows itself in `core-agent.ts`: everywhere, or only its own core, and only for sandboxes. */
function mayBePrivate(
  {
    PLATFORM_PRIVATE_CORES,
    PLATFORM_SANDBOX_CORE_URL,
  }: Pick<Platform["environment"], "PLATFORM_PRIVATE_CORES" | "PLATFORM_SANDBOX_CORE_URL">,
  { url, sandbox }: queries.CoreOfVersion,
): boolean {
  if (PLATFORM_PRIVATE_CORES) return true;
  return sandbox && URL.canParse(url) && new URL(url).origin === PLATFORM_SANDBOX_CORE_URL;
}

/** Whether one of the runtimes has an egress guard, or may get one. */
export function hasGuard({ all }: Runtimes): boolean {
  return all.some(({ refreshEgress: refresh }) => refresh !== undefined);
}

/** Puts into force what changed, such as a customer who was added, and joins the guard again if it is gone. */
export async function refreshEgress(runtimes: Runtimes): Promise<void> {
  if (!hasGuard(runtimes)) return;
  const usable = await runtimes.findIsolating();
  await usable?.refreshEgress?.();
}

/** The same again and again. Says in the metrics whether a guard could be told. */
export function createEgressKeeper({ metrics }: Pick<Platform, "metrics">, runtimes: Runtimes) {
  let isUp: boolean | undefined;
  metrics.read(EGRESS_GUARD_UP, () => (isUp === undefined ? [] : [{ labels: {}, value: isUp ? 1 : 0 }]));
  return async (): Promise<void> => {
    try {
      await refreshEgress(runtimes);
      isUp = true;
    } catch (error) {
      isUp = false;
      throw error;
    }
  };
}
