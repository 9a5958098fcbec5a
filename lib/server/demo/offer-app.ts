import path from "node:path";
import type { ListingInput } from "@/lib/contract/listing";
import type { Actor, Member } from "@/lib/domain/actor";
import { createListing } from "../listings/create-listing";
import type { Platform } from "../platform/platform";
import { decideReview } from "../reviews/decide-review";
import { submitReview } from "../reviews/submit-review";
import { publishExampleFolder } from "../versions/publish-example-folder";
import { publishVersion } from "../versions/publish-version";
import { toPublisher } from "@/lib/domain/actor";
import { selectListing } from "./queries";
import type { DemoSurroundings } from "./surroundings";

/** Lists the app, publishes its first version and has it verified, from wherever an earlier start was cut off. */
export async function offerApp(
  platform: Platform,
  publisher: Member,
  moderator: Actor,
  app: ListingInput,
  around: DemoSurroundings,
): Promise<void> {
  const look = () => selectListing(platform.db, publisher.organization.id, app.appName);
  if ((await look()) === undefined) await createListing(platform, publisher, app);
  if ((await look())?.versionId === null) await publish(platform, publisher, app.appName, around);
  const listing = await look();
  if (listing === undefined || listing.versionId === null) throw new Error(`${app.appName} has no version`);
  if (listing.state !== "DRAFT") return;
  const reviewId =
    listing.reviewId ?? (await submitReview(platform, publisher, listing.id, listing.versionId)).reviewId;
  await decideReview(platform, moderator, reviewId, { decision: "approve", note: "" });
}

async function publish(
  platform: Platform,
  member: Member,
  appName: string,
  around: DemoSurroundings,
): Promise<void> {
  const publisher = toPublisher(member);
  const archive = await around.imageOf?.(appName).catch((error: unknown) => {
    // An engine that can pull no base image is no reason to have no demo.
    around.report(
      `No image of ${appName} could be built (${error instanceof Error ? error.message : error}); it runs as a process.`,
    );
    return undefined;
  });
  if (archive === undefined)
    await publishExampleFolder(platform, publisher, path.join(around.examplesFolder, appName));
  else await publishVersion(platform, publisher, { appName, archive });
}
