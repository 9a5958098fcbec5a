import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import type {
  UpgradeOffer,
  UpgradeTarget,
  UpgradeView,
} from "@/lib/contract/installations/configuration-view";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { checksConfiguration, listSettings } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";
import { mayUpgradeTo, stageOf } from "@/lib/domain/catalog/access";
import { knownMappingField, knownSetting, viewSettings } from "@/lib/domain/catalog/configuration";
import { compareManifests } from "@/lib/domain/catalog/manifest/compare-manifests";
import { newlyPublic } from "@/lib/domain/catalog/manifest/endpoint";
import { compareVersions } from "@/lib/domain/catalog/manifest/version";
import { compareRights } from "@/lib/domain/catalog/rights";
import { findAskedTerms, findNewTerms } from "@/lib/domain/catalog/terms";
import { planUpgrade } from "@/lib/domain/installations/upgrade";
import type { Member } from "@/lib/domain/platform/actor";
import type { Db } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { readEnforcement } from "../runtime/isolation";
import { carriedConfiguration, keptSettings, viewProduct } from "./configurations/merge-configuration";
import { selectConfiguration, type StoredSetting } from "./configurations/queries";
import { selectRefusedHosts } from "./host-refusal-queries";
import { requireInstallation } from "./queries";
import { selectProducts } from "./tenants/queries";
import {
  selectArrival,
  selectListingVersions,
  selectManifest,
  selectNewestUpgrade,
  type UpgradeRow,
} from "./upgrade-queries";

/** What an upgrade would change and ask; to the newest version by default. Throws NOT_FOUND if there is none. */
export async function readUpgrade(
  platform: Platform,
  member: Member,
  id: string,
  versionId?: string,
): Promise<UpgradeOffer> {
  const found = await requireInstallation(platform.db, member.organization.id, id);
  const targets = await findTargets(platform.db, found);
  return viewOffer(platform, found, targets, chooseTarget(targets, versionId));
}

/** What the page of an upgrade shows: the installation as it is, and what the upgrade would change, unless there is none. */
export async function readUpgradePage(
  platform: Platform,
  member: Member,
  id: string,
  versionId?: string,
): Promise<UpgradePage> {
  const { db } = platform;
  const found = await requireInstallation(db, member.organization.id, id);
  const targets = await findTargets(db, found);
  const to = findTarget(targets, versionId);
  const [upgrade, offer] = await Promise.all([
    viewNewestUpgrade(db, found, targets),
    to === undefined ? undefined : viewOffer(platform, found, targets, to),
  ]);
  const { title, publisherSlug, appName, number, state, test } = found;
  return {
    installation: {
      id,
      title,
      name: `${publisherSlug}/${appName}`,
      version: number,
      tenant: { name: found.tenantName },
      state,
      test,
      trialEndsAt: found.trialEndsAt?.toISOString() ?? null,
      upgrade,
    },
    offer,
  };
}

interface UpgradePage {
  installation: Pick<
    InstallationView,
    "id" | "title" | "name" | "version" | "state" | "test" | "trialEndsAt" | "upgrade"
  > & { tenant: { name: string } };
  offer: UpgradeOffer | undefined;
}

async function viewOffer(
  platform: Platform,
  found: Awaited<ReturnType<typeof requireInstallation>>,
  targets: Targets,
  to: Candidate,
): Promise<UpgradeOffer> {
  const { db } = platform;
  const { id, organizationId } = found;
  const rollback = to.versionId === targets.previous?.versionId;
  const [target, now, products, enforcement, refused] = await Promise.all([
    selectManifest(db, to.versionId),
    selectConfiguration(db, id, found.revision),
    selectProducts(db, [found.tenantId]),
    readEnforcement(platform),
    selectRefusedHosts(db, organizationId, found.listingId),
  ]);
  const owner = { organizationId, installationId: id };
  const previous = rollback ? targets.previous?.revision : undefined;
  const carried = await carriedConfiguration(platform, db, { owner, from: found, to: target, previous });
  const plan = planUpgrade({
    from: found.manifest,
    to: target,
    storedNames: storedNames(carried.settings),
    kept: await keptSettings(platform, db, owner, listSettings(target), carried.settings),
    storedMappings: carried.mappings,
    productNames: products.map((product) => product.name),
  });
  return {
    installationId: id,
    title: found.title,
    name: `${found.publisherSlug}/${found.appName}`,
    test: found.test,
    tenantName: found.tenantName,
    revision: found.revision,
    from: viewTarget(targets.current),
    to: viewTarget(to),
    rollback,
    targets: targets.targets.map(viewTarget),
    changes: compareManifests(found.manifest, target).map(({ kind, change, name, title, details }) => ({
      kind,
      change,
      name,
      title,
      details,
    })),
    declared: listSettings(target).map(knownSetting),
    mappingFields: (target.core?.fields ?? []).map(knownMappingField),
    checksConfiguration: checksConfiguration(target),
    settings: viewSettings(listSettings(target), carried.settings),
    mappings: carried.mappings.map(({ productName, fields }) => ({ productName, fields })),
    products: products.map((product) => viewProduct(product, now.schemaDigests)),
    publicEndpoints: newlyPublic(found.manifest, target),
    rights: compareRights(found.manifest, target, refused),
    newTerms: rollback ? undefined : findNewTerms(findAskedTerms(found, found), found.acceptedTerms),
    enforcement,
    ...plan,
  };
}

/** The newest one by default. */
function findTarget(targets: Targets, versionId: string | undefined): Candidate | undefined {
  if (versionId === undefined) return newestAbove(targets);
  return targets.targets.find((target) => target.versionId === versionId);
}

function chooseTarget(targets: Targets, versionId: string | undefined): Candidate {
  const chosen = findTarget(targets, versionId);
  if (chosen === undefined)
    throw new Problem("NOT_FOUND", "No such version is available. Reload the page to see which ones are.");
  return chosen;
}

/** Leaves out scrubbed values, of which only the name is left. */
function storedNames(settings: Readonly<Record<string, StoredSetting>>): string[] {
  return Object.entries(settings).flatMap(([name, { kind }]) => (kind === "gone" ? [] : [name]));
}

type Candidate = Awaited<ReturnType<typeof selectListingVersions>>[number] & {
  /** A customer runs it, or can, although it is not verified. */
  pilot: boolean;
};

interface Installation {
  id: string;
  organizationId: string;
  state: InstallationState;
  test: boolean;
  versionId: string;
  /** Of that version. */
  number: string;
  revision: number;
  listingId: string;
}

interface Targets {
  current: Candidate;
  /** Every version that it may move to, newest first. */
  targets: Candidate[];
  /** The organization is a pilot of the app. */
  isPilot: boolean;
  /** The version to roll back to, and the last revision that served then. */
  previous: { versionId: string; revision: number } | undefined;
}

/**
 * The versions that an installation may move to: up to any verified version of a public listing, or back to the one it ran
 * before; for pilots, up to those that are not reviewed yet; from these, to the highest verified one. A publisher's Test Launch may move to any version, that of a moderator and an uninstalled app to none.
 */
export async function findTargets(db: Db, installation: Omit<Installation, "revision">): Promise<Targets> {
  const arrival = await selectArrival(db, installation.id, installation.versionId);
  // A listing may have thousands of versions, of which a customer can only move to few.
  const found = await selectListingVersions(db, installation.listingId, {
    organizationId: installation.organizationId,
    chosen: installation.test
      ? undefined
      : {
          verifiedAbove: installation.number,
          ids: [installation.versionId, ...(arrival === undefined ? [] : [arrival.fromVersionId])],
        },
  });
  const candidates = found.map((version): Candidate => ({
    ...version,
    pilot: !installation.test && version.verifiedAt === null,
  }));
  const current = candidates.find(({ versionId }) => versionId === installation.versionId);
  if (current === undefined) throw new Error(`version ${installation.versionId} does not exist`);
  const { isPilot } = current;
  // Going back would start a failed app again.
  const isStopped = current.halted && !installation.test;
  if (isStopped || installation.state === "UNINSTALLING" || installation.state === "UNINSTALLED")
    return { current, targets: [], isPilot, previous: undefined };
  const isNewer = ({ number }: Candidate) => compareVersions(number, current.number) > 0;
  const isVerified = ({ verifiedAt }: Candidate) => verifiedAt !== null;
  const before = candidates.find(({ versionId }) => versionId === arrival?.fromVersionId);
  // A version that was verified and served here may serve again, whatever happened to the listing since.
  const mayReturn = before !== undefined && !isNewer(before) && (installation.test || isVerified(before));
  const previous =
    mayReturn && arrival !== undefined
      ? { versionId: arrival.fromVersionId, revision: arrival.fromRevision }
      : undefined;
  const targets = candidates.filter((candidate) => {
    if (candidate.versionId === current.versionId) return false;
    if (candidate.versionId === previous?.versionId) return true;
    if (installation.test)
      return candidate.listingState !== "RETIRED" && candidate.publisherId === installation.organizationId;
    const isNext = isNewer(candidate) || (current.pilot && isVerified(candidate));
    return isNext && mayUpgradeTo({ state: candidate.listingState, ...candidate }, { pilot: isPilot });
  });
  return { current, targets: targets.sort((a, b) => compareVersions(b.number, a.number)), isPilot, previous };
}

/** The newest version above the current one; undefined if the current one is the newest. Never a pilot version. */
export function newestAbove({ current, targets }: Targets): Candidate | undefined {
  return targets.find(({ number, pilot }) => !pilot && compareVersions(number, current.number) > 0);
}

/** Of a pilot version that runs: whether it may stay, and what is next. Of others: the pilot version that is offered. */
export function viewPilot({
  current,
  targets,
  isPilot,
}: Targets): Pick<InstallationView, "pilot" | "pilotTo"> {
  const [offered] = targets.filter(({ pilot }) => pilot);
  const pilotTo = offered && { pilotTo: viewTarget(offered) };
  if (!current.pilot) return { ...pilotTo };
  const verified = targets.find(({ pilot }) => !pilot);
  const isRefused = stageOf(current) === "REFUSED";
  const ended = isRefused ? "REFUSED" : isPilot ? null : "LEFT";
  return { ...pilotTo, pilot: { ended, verified: verified === undefined ? null : viewTarget(verified) } };
}

export function viewTarget({ versionId, number, publishedAt, pilot }: Candidate): UpgradeTarget {
  return {
    ...{ versionId, number, publishedAt: publishedAt.toISOString() },
    ...(pilot ? { pilot } : {}),
  };
}

/** The newest upgrade or rollback of an installation; null if there was none. */
export async function viewNewestUpgrade(
  db: Db,
  installation: Installation,
  { targets }: Targets,
): Promise<UpgradeView | null> {
  const found = await selectNewestUpgrade(db, installation.id);
  if (found === undefined) return null;
  const { upgrade, from, to, startedBy } = found;
  const { id, rollback, state, reason, createdAt, endedAt } = upgrade;
  const offered = targets.some((target) => target.versionId === upgrade.toVersionId);
  return {
    id,
    from,
    to,
    rollback,
    state,
    reason,
    startedAt: createdAt.toISOString(),
    startedBy,
    endedAt: endedAt?.toISOString() ?? null,
    retryable: offered && isSwitchable(installation.state) && isRetryable(upgrade, installation),
  };
}

/** Whether it failed, and the installation has not changed since it started. */
export function isRetryable(upgrade: UpgradeRow, now: Pick<Installation, "versionId" | "revision">): boolean {
  const { state, fromVersionId, fromRevision } = upgrade;
  return state === "FAILED" && fromVersionId === now.versionId && fromRevision === now.revision;
}

/** The states in which an installation can be upgraded, with the state after the switch. A failed app is launched again. */
export const AFTER_SWITCH = { RUNNING: "RUNNING", STOPPED: "STOPPED", ERROR: "LAUNCHING" } as const;

export type SwitchableState = keyof typeof AFTER_SWITCH;

export function isSwitchable(state: InstallationState): state is SwitchableState {
  return Object.hasOwn(AFTER_SWITCH, state);
}
