import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import type {
  AppChecklistItem,
  AppStatus,
  AppVersions,
  SubmittedVersion,
  SubmitVersionInput,
} from "@/lib/contract/surface/own-app";
import { checkListing } from "@/lib/domain/catalog/listing-text";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { compareVersions } from "@/lib/domain/catalog/manifest/version";
import type { Agent } from "@/lib/domain/platform/actor";
import {
  countInstallations,
  type ListingRow,
  selectOwnListing,
  selectReviews,
  selectVersions,
} from "../../catalog/listing-queries";
import { selectNewestVersion, selectVersionId } from "../../catalog/version-queries";
import { readFailures } from "../../insight/health/read-health";
import { countComments } from "../../moderation/comment-queries";
import { withdrawReview } from "../../moderation/end-review";
import { readSuspensionReason } from "../../moderation/read-moderated-listings";
import { selectReview } from "../../moderation/review-queries";
import { submitReview } from "../../moderation/submit-review";
import type { Platform } from "../../platform/platform";
import { readInstances } from "../../runtime/scale-app";
import { selectVersionPage } from "./own-app-queries";

export interface OwnApp {
  /** `<org-name>/<app-name>`. */
  name: string;
  listing: ListingRow;
}

/** An app of the agent's organization, in any state. Throws NOT_FOUND, also for apps of other organizations. */
export async function findApp(
  { db }: Platform,
  { organization }: Agent,
  [owner = "", app = ""]: readonly string[],
): Promise<OwnApp> {
  if (owner !== organization.slug)
    throw new Problem(
      "NOT_FOUND",
      `These credentials are for the organization "${organization.slug}", which has no access to apps of other organizations. Check the app's name, or log in for the other organization.`,
    );
  const listing = await selectOwnListing(db, organization.id, app);
  if (listing === undefined)
    throw new Problem(
      "NOT_FOUND",
      `"${organization.slug}" has no app with the name "${app.slice(0, 40)}". Check the name, or create the app on the Publish page first.`,
    );
  return { name: `${organization.slug}/${listing.appName}`, listing };
}

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

const PAGE = 50;

/** A page of the versions of an app, newest first. @param before the `next` of the previous page */
export async function listVersions(
  { db }: Platform,
  { listing }: OwnApp,
  before?: string,
): Promise<AppVersions> {
  const found = await selectVersionPage(db, listing.id, { before, limit: PAGE + 1 });
  const versions = found.slice(0, PAGE).map(({ id: _, publishedAt, verifiedAt, ...version }) => ({
    ...version,
    publishedAt: publishedAt.toISOString(),
    verifiedAt: verifiedAt?.toISOString() ?? null,
  }));
  return { versions, next: found.length > PAGE ? found[PAGE - 1]?.id : undefined };
}

/** Submits a version for review, by its number; the newest by default. Throws NOT_FOUND without one, and as `submitReview`. */
export async function submitVersion(
  platform: Platform,
  agent: Agent,
  { name, listing }: OwnApp,
  { version, ...input }: SubmitVersionInput,
): Promise<SubmittedVersion> {
  const newest = version === undefined ? await selectNewestVersion(platform.db, listing.id) : undefined;
  const number = version ?? newest?.number;
  if (number === undefined)
    throw new Problem("NOT_FOUND", `${name} has no version yet. Publish one, then submit it.`);
  const versionId = newest?.id ?? (await selectVersionId(platform.db, listing.id, number));
  if (versionId === undefined)
    throw new Problem(
      "NOT_FOUND",
      `${name} has no version ${number}. Publish it first, or check the number.`,
    );
  const { reviewId } = await submitReview(platform, agent, listing.id, { versionId, ...input });
  return { reviewId, version: number, page: appPage(platform, listing.appName, `/reviews/${reviewId}`) };
}

/** Withdraws a review of the app. Throws NOT_FOUND if it has none with this id, and as `withdrawReview`. */
export async function withdrawVersion(
  platform: Platform,
  agent: Agent,
  { listing }: OwnApp,
  reviewId: string,
): Promise<void> {
  const review = isId(reviewId) ? await selectReview(platform.db, reviewId) : undefined;
  if (review?.listingId !== listing.id) throw new Problem("NOT_FOUND");
  await withdrawReview(platform, agent, reviewId);
}

/** The URL of a page of an app, for its publisher. */
function appPage(platform: Platform, appName: string, below = ""): string {
  return webPage(platform, `/publish/${appName}${below}`);
}

export function webPage({ environment }: Platform, path: string): string {
  return new URL(path, environment.PLATFORM_WEB_URL).href;
}
