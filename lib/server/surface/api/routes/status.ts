/** What the pages of an app say about it, in one answer. */
import { type AppChecklistItem, type AppStatus, appStatus } from "@/lib/contract/surface/own-app";
import { checkListing } from "@/lib/domain/catalog/listing-text";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import {
  countInstallations,
  type ListingRow,
  selectNewestReview,
  selectVersionFacts,
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
    checklist: [
      { title: "A support link or email address", done: false, required: false, page: `${PAGE}/edit` },
    ],
    installations: 1,
    replicas: 1,
    mostReplicas: null,
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
/** Of the newest versions that failed, which is more than anybody reads. */
const FAILURES = 100;

async function readStatus(platform: Platform, app: OwnApp): Promise<AppStatus> {
  const { listing, name } = app;
  const { db } = platform;
  const [{ highestVerified }, review, newest, installations, running] = await Promise.all([
    selectVersionFacts(db, listing.id),
    selectNewestReview(db, listing.id),
    selectNewestVersion(db, listing.id),
    countInstallations(db, listing.id),
    readInstances(platform, listing.id),
  ]);
  const suspension =
    listing.state === "SUSPENDED" ? await readSuspensionReason(platform, listing.id) : undefined;
  return {
    app: name,
    title: listing.title,
    state: listing.state,
    suspension: suspension ?? null,
    newest:
      newest === undefined
        ? null
        : {
            version: newest.number,
            publishedAt: newest.createdAt.toISOString(),
            verified: newest.verifiedAt !== null,
          },
    verified: highestVerified ?? null,
    review: await viewReview(platform, app, review),
    checklist: viewChecklist(platform, listing, newest?.manifestText),
    installations,
    replicas: running.replicas,
    mostReplicas: running.mostReplicas,
    instances: running.instances.map(({ number, state, reason, code, ...moments }) => ({
      version: number,
      state,
      startedAt: moments.createdAt.toISOString(),
      readyAt: toIso(moments.readyAt),
      failingSince: toIso(moments.failingSince),
      reason,
      code,
    })),
    ...(await viewFailures(platform, listing.id)),
    pages: {
      app: appPage(platform, listing.appName),
      listing: appPage(platform, listing.appName, "/edit"),
      logs: appPage(platform, listing.appName, "/logs"),
      marketplace: listing.state === "PUBLIC" ? webPage(platform, `/marketplace/${name}`) : null,
    },
  };
}

async function viewReview(
  platform: Platform,
  { listing }: OwnApp,
  review: Awaited<ReturnType<typeof selectNewestReview>>,
): Promise<AppStatus["review"]> {
  if (review === undefined) return null;
  const { id, kind, state, number, note, createdAt, decidedAt } = review;
  const counts = await countComments(platform.db, [id]);
  return {
    id,
    kind,
    state,
    note,
    version: number,
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
  const { title, tagline, category, about, requirements, links, terms, privacy, icon, screenshots } = listing;
  const text = { title, tagline, category, about, requirements, links, terms, privacy, icon, screenshots };
  const { PLATFORM_PERMISSIONS: known } = platform.environment;
  const issues = manifestText === undefined ? [] : checkManifest(manifestText, known).issues;
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

async function viewFailures(
  { db }: Platform,
  listingId: string,
): Promise<Pick<AppStatus, "failures" | "moreFailures">> {
  const found = await readFailures(db, listingId, FAILURES + 1);
  const failures = found.slice(0, FAILURES).flatMap(({ number, at, reason, code, exitCode, parked }) => {
    const isRecent = Date.now() - at.getTime() < DAY_MS;
    if (parked === undefined && !isRecent) return [];
    const since = parked && { since: parked.at.toISOString(), crashes: parked.crashes };
    return [{ version: number, at: at.toISOString(), reason, code, exitCode, parked: since ?? null }];
  });
  return { failures, moreFailures: found.length > FAILURES };
}

function toIso(moment: Date | null): string | null {
  return moment?.toISOString() ?? null;
}

/** The URL of a page of an app, for its publisher. */
function appPage(platform: Platform, appName: string, below = ""): string {
  return webPage(platform, `/publish/${appName}${below}`);
}
