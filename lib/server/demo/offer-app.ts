import path from "node:path";
import type { ListingInput, SubmitReviewInput } from "@/lib/contract/listing";
import { toPublisher, type Actor, type Member } from "@/lib/domain/actor";
import { createListing } from "../listings/create-listing";
import type { Platform } from "../platform/platform";
import { decideReview } from "../reviews/decide-review";
import { submitReview } from "../reviews/submit-review";
import { publishExampleFolder } from "../publishing/publish-example-folder";
import { publishVersion } from "../publishing/publish-version";
import { selectListing } from "./queries";

export interface AppSource {
  /** Contains a folder for each app. */
  examplesFolder: string;
  /** Builds an app's image as a `docker save` archive; undefined without a container engine. */
  buildImage: ((appName: string) => Promise<NodeJS.ReadableStream>) | undefined;
  report: (message: string) => void;
}

/** Creates the listing, publishes a version, and has it verified, continuing from wherever an earlier start stopped. */
export async function offerApp(
  platform: Platform,
  publisher: Member,
  moderator: Actor,
  app: ListingInput,
  source: AppSource,
): Promise<void> {
  const read = () => selectListing(platform.db, publisher.organization.id, app.appName);
  if ((await read()) === undefined) await createListing(platform, publisher, app);
  if ((await read())?.versionId === null) await publishApp(platform, publisher, app.appName, source);
  await verifyNewest(platform, publisher, moderator, app.appName);
}

type ReviewTexts = Pick<SubmitReviewInput, "note" | "releaseNotes">;

/**
 * Submits the newest version and approves it, unless it is verified. Both at once, so that no worker begins to check what is
 * decided already.
 */
export async function verifyNewest(
  platform: Platform,
  publisher: Member,
  moderator: Actor,
  appName: string,
  texts?: ReviewTexts,
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const within = { ...platform, db: tx };
    const reviewId = await submitNewest(within, publisher, appName, texts);
    if (reviewId !== undefined)
      await decideReview(within, moderator, reviewId, { decision: "approve", note: "" });
  });
}

/** The review of the newest version, submitted if it isn't yet; undefined if the version is verified. */
export async function submitNewest(
  platform: Platform,
  publisher: Member,
  appName: string,
  texts: ReviewTexts = {},
): Promise<string | undefined> {
  const listing = await selectListing(platform.db, publisher.organization.id, appName);
  if (listing === undefined || listing.versionId === null) throw new Error(`${appName} has no version`);
  if (listing.verifiedAt !== null) return undefined;
  if (listing.reviewId !== null) return listing.reviewId;
  const { versionId } = listing;
  const { reviewId } = await submitReview(platform, publisher, listing.id, { versionId, ...texts });
  return reviewId;
}

async function publishApp(
  platform: Platform,
  member: Member,
  appName: string,
  { buildImage, examplesFolder, report }: AppSource,
): Promise<void> {
  const publisher = toPublisher(member);
  // Without a base image the demo still works, as processes.
  const archive = await buildImage?.(appName).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    report(`The image of ${appName} could not be built (${reason}). The app runs as a process instead.`);
    return undefined;
  });
  if (archive === undefined)
    await publishExampleFolder(platform, publisher, path.join(examplesFolder, appName));
  else await publishVersion(platform, publisher, { appName, archive });
}
