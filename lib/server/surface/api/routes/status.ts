/** What the pages of an app say about it, in one answer. */
import { type AppChecklistItem, type AppStatus, appStatus } from "@/lib/contract/surface/own-app";
import { checkListing } from "@/lib/domain/catalog/listing-text";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { compareVersions } from "@/lib/domain/catalog/manifest/version";
import {
  countInstallations,
  type ListingRow,
  selectReviews,
  selectVersions,
} from "../../../catalog/listing-queries";
import { selectNewestVersion } from "../../../catalog/version-queries";
import { readFailures } from "../../../insight/health/read-health";
import { countComments } from "../../../moderation/comment-queries";
import { readSuspensionReason } from "../../../moderation/read-moderated-listings";
import type { Platform } from "../../../platform/platform";
import { readInstances } from "../../../runtime/scale-app";
import { keyForApp, type OwnApp } from "./credentials";
import { webPage } from "./exchange";
import { json, route, SAMPLE } from "./route";

const { id: ID, at: AT, page: PAGE } = SAMPLE;

export const status = route({
  name: "GET /publish/v1/apps/<organization>/<app>/status",
  credential: keyForApp(),
  summary: "Read the status of an app",
  description:
    "What an app's pages say about it: the listing, the newest review, what is missing to submit it, and what runs. Any API " +
    "key of the organization may read it.",
  answer: json(appStatus, {
    app: "acme/vin-lookup",
    title: "VIN lookup",
    state: "DRAFT",
    suspension: null,
    newest: { version: "1.4.0", publishedAt: AT, verified: false },
    verified: null,
    review: {
      id: ID,
      kind: "VERSION",
      state: "CHANGES_REQUESTED",
      version: "1.4.0",
      submittedAt: AT,
      decidedAt: AT,
      note: "Say in the launch instructions where to get a key.",
      comments: 2,
      page: `${PAGE}/reviews/${ID}`,
    },
    checklist: [{ title: "A support link", done: false, required: false, page: `${PAGE}/edit` }],
    installations: 1,
    replicas: 1,
    instances: [
      {
        version: "1.4.0",
        state: "READY",
        startedAt: AT,
        readyAt: AT,
        failingSince: null,
        reason: null,
        code: null,
      },
    ],
    failures: [],
    pages: { app: PAGE, listing: `${PAGE}/edit`, logs: `${PAGE}/logs`, marketplace: null },
  }),
  run: ({ platform, caller: { app } }) => readStatus(platform, app),
});

const DAY_MS = 86_400_000;

async function readStatus(platform: Platform, app: OwnApp): Promise<AppStatus> {
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
    id,
    kind,
    state,
    note,
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
      page: appPage(platform, listing.appName, "field" in at ? "/edit" : CHECKLIST_PAGES[at.page]),
    }),
  );
}

const CHECKLIST_PAGES = { versions: "", manifest: "/manifest" } as const;

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

/** The URL of a page of an app, for its publisher. */
function appPage(platform: Platform, appName: string, below = ""): string {
  return webPage(platform, `/publish/${appName}${below}`);
}
