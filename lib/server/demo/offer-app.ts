import path from "node:path";
import type { ListingInput } from "@/lib/contract/listing";
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
  const listing = await read();
  if (listing === undefined || listing.versionId === null) throw new Error(`${app.appName} has no version`);
  if (listing.state !== "DRAFT") return;
  const reviewId =
    listing.reviewId ??
    (await submitReview(platform, publisher, listing.id, { versionId: listing.versionId, older: false }))
      .reviewId;
  await decideReview(platform, moderator, reviewId, { decision: "approve", note: "" });
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
