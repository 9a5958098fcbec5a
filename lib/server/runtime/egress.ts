import type { AllowedHosts } from "@/lib/contract/runtime/egress";
import { allowHosts } from "@/lib/domain/runtime/egress/allowed-hosts";
import type { Platform } from "../platform/platform";
import * as queries from "./egress-queries";
import type { Runtimes } from "./engines/choose-runtime";
import type { GuardOptions } from "./engines/docker-guard";
import { createEgressRecorder } from "./record-egress";

/** What the egress guard needs to know of this platform; undefined if containers use the machine's network. */
export function guardOptions(
  platform: Pick<Platform, "db" | "environment" | "log">,
): GuardOptions | undefined {
  const { environment } = platform;
  if (environment.PLATFORM_EGRESS !== "guard") return undefined;
  const recorder = createEgressRecorder(platform);
  return {
    readAllowed: (versionIds) => {
      recorder.watch(versionIds);
      return readAllowed(platform, versionIds);
    },
    noteCounts: (_boot, counts) => recorder.note(counts),
    privateCores: environment.PLATFORM_PRIVATE_CORES,
  };
}

/** What each of the versions may reach: what its manifest declares, what its customers entered, and their cores. */
export async function readAllowed(
  { db, environment }: Pick<Platform, "db" | "environment">,
  versionIds: readonly string[],
): Promise<Map<string, AllowedHosts>> {
  if (versionIds.length === 0) return new Map();
  const manifests = await queries.selectManifests(db, versionIds);
  const cores = await queries.selectCoresOf(db, versionIds);
  const named = manifests.filter(({ manifest }) =>
    manifest.core?.hosts?.some(({ setting }) => setting !== undefined),
  );
  const entered = await queries.selectSettingsOf(
    db,
    named.map(({ id }) => id),
  );
  const sandbox = environment.PLATFORM_SANDBOX_CORE_URL;
  return new Map(
    manifests.map(({ id, manifest }) => {
      const settings = entered.filter(({ versionId }) => versionId === id).map((row) => row.settings);
      const valuesOf = (setting: string) =>
        settings.flatMap(({ [setting]: stored }) => (stored?.kind === "plain" ? [stored.value] : []));
      const own = cores.filter(({ versionId }) => versionId === id).map(({ url }) => url);
      const all = [...new Set([...own, ...(sandbox === "" ? [] : [sandbox])])].sort();
      return [id, allowHosts(manifest.core?.hosts, { cores: all, valuesOf })];
    }),
  );
}

/** Puts into force what changed, such as a customer who was added, and joins the guard again if it is gone. */
export async function refreshEgress(runtimes: Runtimes): Promise<void> {
  const usable = await runtimes.findIsolating();
  await usable?.refreshEgress?.();
}
