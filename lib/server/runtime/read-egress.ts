/** Where apps send data, as pages show it, and what follows for their manifests. */
import type { Host, Manifest } from "@/lib/contract/catalog/manifest";
import { listBlocked } from "@/lib/domain/catalog/rights";
import { OTHER_HOSTS } from "@/lib/domain/runtime/egress/egress-limits";
import {
  type FewerHosts,
  proposeFewerHosts,
  usesAllItDeclares,
  type WatchedVersion,
} from "@/lib/domain/catalog/fewer-hosts";
import {
  type EgressReader,
  type EgressView,
  findBlindness,
  type HostUse,
  listHostSettings,
  viewEgress,
} from "@/lib/domain/runtime/egress/view-egress";
import { selectNewestVersion } from "../catalog/version-queries";
import type { Platform } from "../platform/platform";
import { DAY_MS } from "../platform/retention-queries";
import * as queries from "./egress-count-queries";
import { selectRefusedByAll } from "./egress-queries";
import { readEnforcement } from "./isolation";

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);
const firstDay = () => dayOf(Date.now() - queries.EGRESS_DAYS * DAY_MS);

interface EgressQuery {
  which: queries.Watched;
  reader: EgressReader;
  manifest: Manifest;
  /** URLs of customers' cores; for a customer, of its own. */
  cores: readonly string[];
  /** What customers entered in a setting; for a customer, what it entered itself. */
  valuesOf?: (setting: string) => readonly string[];
}

/** The last 90 days. The caller has checked that the reader may see it. */
export async function readEgress(
  { db, environment }: Pick<Platform, "db" | "environment">,
  { which, ...query }: EgressQuery,
): Promise<EgressView> {
  const [{ uses, more }, { since, lastRuntime }, enforcement] = await Promise.all([
    queries.selectUses(db, which, firstDay()),
    queries.selectObservation(db, which, firstDay()),
    readEnforcement({ db }),
  ]);
  const blindness = findBlindness(enforcement, environment.PLATFORM_RUNTIME, lastRuntime);
  return viewEgress({ ...query, uses, more, since, blindness });
}

/** All versions of a listing, for its publisher; undefined before the first version. The caller has checked whose listing it is. */
export async function readAppEgress(
  { db, environment }: Pick<Platform, "db" | "environment">,
  listingId: string,
): Promise<{ view: EgressView; proposal: FewerHosts | undefined } | undefined> {
  const newest = await selectNewestVersion(db, listingId);
  if (newest === undefined) return undefined;
  const { manifest } = newest;
  const hosts = manifest.core?.hosts;
  const [found, { since, lastRuntime }, customers, watched, enforcement] = await Promise.all([
    queries.selectUses(db, { listingId }, firstDay()),
    queries.selectObservation(db, { listingId }, firstDay()),
    queries.selectCustomersHosts(db, listingId, listHostSettings(hosts)),
    queries.selectWatchedVersions(db, listingId, firstDay()),
    readEnforcement({ db }),
  ]);
  const blindness = findBlindness(enforcement, environment.PLATFORM_RUNTIME, lastRuntime);
  return {
    view: viewEgress({ reader: "publisher", manifest, ...found, since, blindness, ...customers }),
    // A host that the app uses while nobody watches must not look unused.
    proposal: blindness === null ? propose(hosts, found, watched) : undefined,
  };
}

/** Hosts that the listing's newest manifest may leave out. The caller has checked whose listing it is. */
export async function readProposal(
  platform: Pick<Platform, "db" | "environment">,
  listingId: string,
): Promise<FewerHosts | undefined> {
  return (await readAppEgress(platform, listingId))?.proposal;
}

function propose(
  hosts: readonly Host[] | undefined,
  { uses, more }: { uses: readonly HostUse[]; more: number },
  watched: readonly WatchedVersion[],
): FewerHosts | undefined {
  // A host that was not read may be one that the app needs.
  if (more > 0) return undefined;
  return proposeFewerHosts(hosts, uses, watched, OTHER_HOSTS);
}

/** The optional hosts of a version that the guard blocks, because all its customers refused them. */
export async function readBlocked(
  { db }: Pick<Platform, "db">,
  versionId: string,
  manifest: Manifest,
): Promise<string[]> {
  const refused = await selectRefusedByAll(db, [versionId]);
  return listBlocked(
    manifest,
    refused.map(({ host }) => host),
  );
}

/** Whether the listing's app used every host that it declares, so that its page can say so. False while nothing enforces the list. */
export async function readUsesAll(
  { db, environment }: Pick<Platform, "db" | "environment">,
  listingId: string,
  { core }: Pick<Manifest, "core">,
): Promise<boolean> {
  if (core?.hosts === undefined) return false;
  const enforcement = await readEnforcement({ db });
  if (enforcement !== "guard") return false;
  const { since, lastRuntime } = await queries.selectObservation(db, { listingId }, firstDay());
  const blindness = findBlindness(enforcement, environment.PLATFORM_RUNTIME, lastRuntime);
  if (since === null || blindness !== null) return false;
  const { uses } = await queries.selectUses(db, { listingId }, firstDay());
  return usesAllItDeclares(core.hosts, uses, [{ hosts: core.hosts, days: [since] }], dayOf(Date.now()));
}
