import type { AppChecklistItem, AppStatus } from "@/lib/contract/own-app";
import { checkListing } from "@/lib/domain/listing-checklist";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { compareVersions } from "@/lib/domain/version";
import { readInstances } from "../instances/read-instances";
import { readFailures } from "../health/read-health";
import { countInstallations, selectReviews, selectVersions, type ListingRow } from "../listings/queries";
import type { Platform } from "../platform/platform";
import { countComments } from "../review-comments/queries";
import { readSuspensionReason } from "../suspensions/read-moderated-listings";
import { selectNewestVersion } from "../versions/queries";
import type { OwnApp } from "./find-app";
import { appPage, webPage } from "./pages";

const DAY_MS = 86_400_000;

/** What the pages of an app say about it, in one answer. */
export async function readStatus(platform: Platform, app: OwnApp): Promise<AppStatus> {
  const { listing, name } = app;
  const { db } = platform;
  const [versions, reviews, newest, installations, running] = await Promise.all([
    selectVersions(db, listing.id),
    selectReviews(db, listing.id),
    selectNewestVersion(db, listing.id),
    countInstallations(db, listing.id),
    readInstances(platform, listing.id),
  ]);
  const verified = versions.filter(({ verifiedAt }) => verifiedAt !== null);
  const last = versions.find(({ id }) => id === newest?.id);
  const suspension =
    listing.state === "SUSPENDED" ? await readSuspensionReason(platform, listing.id) : undefined;
  return {
    app: name,
    title: listing.title,
    state: listing.state,
    suspension: suspension ?? null,
    newest:
      last === undefined
        ? null
        : {
            version: last.number,
            publishedAt: last.createdAt.toISOString(),
            verified: last.verifiedAt !== null,
          },
    verified:
      verified
        .map(({ number }) => number)
        .sort(compareVersions)
        .at(-1) ?? null,
    review: await viewReview(platform, app, reviews[0], versions),
    checklist: viewChecklist(platform, listing, newest?.manifestText),
    installations,
    replicas: running.replicas,
    instances: running.instances.map(({ number, state, reason, code, ...moments }) => ({
      version: number,
      state,
      startedAt: moments.createdAt.toISOString(),
      readyAt: toIso(moments.readyAt),
      failingSince: toIso(moments.failingSince),
      reason,
      code,
    })),
    failures: await viewFailures(platform, versions),
    pages: {
      app: appPage(platform, listing.appName),
      listing: appPage(platform, listing.appName, "/edit"),
      logs: appPage(platform, listing.appName, "/logs"),
      marketplace: listing.state === "PUBLIC" ? webPage(platform, `/marketplace/${name}`) : null,
    },
  };
}

type Versions = Awaited<ReturnType<typeof selectVersions>>;
type Reviews = Awaited<ReturnType<typeof selectReviews>>;

async function viewReview(
  platform: Platform,
  { listing }: OwnApp,
  review: Reviews[number] | undefined,
  versions: Versions,
): Promise<AppStatus["review"]> {
  if (review === undefined) return null;
  const { id, kind, state, versionId, note, createdAt, decidedAt } = review;
  const counts = await countComments(platform.db, [id]);
  return {
    ...{ id, kind, state, note },
    version: versions.find((each) => each.id === versionId)?.number ?? null,
    submittedAt: createdAt.toISOString(),
    decidedAt: toIso(decidedAt),
    comments: counts.get(id) ?? 0,
    page: appPage(platform, listing.appName, `/reviews/${id}`),
  };
}

function viewChecklist(
  platform: Platform,
  listing: ListingRow,
  manifestText: string | undefined,
): AppChecklistItem[] {
  const { title, tagline, category, about, requirements, links, icon, screenshots } = listing;
  const text = { title, tagline, category, about, requirements, links, icon, screenshots };
  const issues = manifestText === undefined ? [] : checkManifest(manifestText).issues;
  const warnings = issues.filter(({ severity }) => severity === "warning").length;
  return checkListing({ text, hasVersion: manifestText !== undefined, warnings }).map(
    ({ title: what, isDone, isRequired, at }) => ({
      title: what,
      done: isDone,
      required: isRequired,
      page: appPage(platform, listing.appName, "field" in at ? "/edit" : PAGES[at.page]),
    }),
  );
}

const PAGES = { versions: "", manifest: "/manifest" } as const;

async function viewFailures({ db }: Platform, versions: Versions): Promise<AppStatus["failures"]> {
  const found = await readFailures(
    db,
    versions.map(({ id }) => id),
  );
  return found.flatMap(({ versionId, at, reason, code, exitCode, parked }) => {
    const version = versions.find(({ id }) => id === versionId)?.number;
    const isRecent = Date.now() - at.getTime() < DAY_MS;
    if (version === undefined || (parked === undefined && !isRecent)) return [];
    const since = parked && { since: parked.at.toISOString(), crashes: parked.crashes };
    return [{ version, at: at.toISOString(), reason, code, exitCode, parked: since ?? null }];
  });
}

function toIso(moment: Date | null): string | null {
  return moment?.toISOString() ?? null;
}
