import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ImageUse, ListingInput, ListingText, SubmitReviewInput } from "@/lib/contract/catalog/listing";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { type Actor, type Member, toPublisher } from "@/lib/domain/platform/actor";
import { readTextDraft, saveText } from "@/lib/server/catalog/listing-text";
import { createListing } from "@/lib/server/catalog/own-listings";
import { storeImage } from "@/lib/server/catalog/pictures";
import { findExampleFolder } from "@/lib/server/catalog/publish/example-folder";
import { readDraft, saveDraft } from "@/lib/server/catalog/publish/manifest-draft";
import { publishExampleFolder, publishVersion } from "@/lib/server/catalog/publish/publish-version";
import { releaseManifest } from "@/lib/server/catalog/publish/release-manifest";
import { decideReview } from "@/lib/server/moderation/decide-review";
import { submitReview, submitText } from "@/lib/server/moderation/submit-review";
import type { Platform } from "@/lib/server/platform/platform";
import { type CatalogApp, createLinks } from "./apps";
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

export interface CatalogSource {
  /** Contains a folder for each example app. */
  examplesFolder: string;
  /** Contains a folder of pictures for each app. */
  picturesFolder: string;
}

/** Creates the listing with its pictures, and publishes its version. What is there already stays as it is. */
export async function offerCatalogApp(
  platform: Platform,
  publisher: Member,
  app: CatalogApp,
  company: string,
  source: CatalogSource,
): Promise<void> {
  const { appName } = app;
  const present = await selectListing(platform.db, publisher.organization.id, appName);
  if (present === undefined) {
    const pictures = await storePictures(platform, publisher, source.picturesFolder, app);
    const text = describeApp(publisher.organization.slug, app, company);
    await createListing(platform, publisher, { ...text, ...pictures });
  }
  if (present?.versionId !== undefined && present.versionId !== null) return;
  const folder = findExampleFolder(source.examplesFolder, appName);
  const manifestText = writeManifest(publisher.organization.slug, app);
  await publishExampleFolder(platform, toPublisher(publisher), folder, { appName, manifestText });
}

/** Stores the app's pictures as uploads are stored: decoded, and encoded again. */
async function storePictures(
  platform: Platform,
  publisher: Member,
  picturesFolder: string,
  { appName, captions }: Pick<CatalogApp, "appName" | "captions">,
): Promise<Pick<ListingText, "icon" | "screenshots">> {
  const store = async (name: string, use: ImageUse) => {
    const file = await readFile(path.join(picturesFolder, appName, `${name}.webp`));
    return (await storeImage(platform, publisher, file, use)).digest;
  };
  const icon = await store("icon", "icon");
  const screenshots = [];
  for (const [index, caption] of captions.entries())
    screenshots.push({ image: await store(String(index + 1), "screenshot"), caption });
  return { icon, screenshots };
}

function describeApp(slug: string, app: CatalogApp, company: string): ListingInput {
  const { appName, title, tagline, category, product, offering } = app;
  const { technicalDetails, launchInstructions, complianceDetails } = app;
  return {
    appName,
    title,
    tagline,
    category,
    about: { product, company, offering },
    requirements: { technicalDetails, launchInstructions, complianceDetails },
    links: createLinks(slug, appName),
  };
}

function writeManifest(slug: string, { appName, version, app, core }: CatalogApp): string {
  const manifest: Manifest = { name: `${slug}/${appName}`, version, app, core };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Adds icon and screenshots to a public listing, by a review of its text. Nothing happens if somebody has edited the text. */
export async function showPictures(
  platform: Platform,
  publisher: Member,
  moderator: Actor,
  app: { appName: string; captions: readonly string[] },
  picturesFolder: string,
): Promise<void> {
  const listing = await selectListing(platform.db, publisher.organization.id, app.appName);
  if (listing === undefined) return;
  const draft = await readTextDraft(platform, publisher, listing.id);
  if (draft.revision > 0) return;
  const text = { ...draft.text, ...(await storePictures(platform, publisher, picturesFolder, app)) };
  const { revision } = await saveText(platform, publisher, listing.id, { text, revision: draft.revision });
  const note = "Adds the icon and screenshots.";
  const { reviewId } = await submitText(platform, publisher, listing.id, { revision, note });
  await decideReview(platform, moderator, reviewId, { decision: "approve", note: "" });
}

const UPGRADED = {
  appName: "telematics-rater",
  number: "1.1.0",
  notes: "- Explains the price factor where it is entered\n- The discount of partners can be left empty",
};

/** Releases and verifies another version of an app that is running, so that its customers can upgrade. */
export async function releaseUpgrade(platform: Platform, member: Member, moderator: Actor): Promise<void> {
  const publisher = toPublisher(member);
  const listing = await selectListing(platform.db, member.organization.id, UPGRADED.appName);
  if (listing === undefined) return;
  if (listing.verifiedAt === null)
    return verifyNewest(platform, member, moderator, UPGRADED.appName, { releaseNotes: UPGRADED.notes });
  const draft = await readDraft(platform, publisher, listing.id);
  const text = draft.text
    .replace('"version": "1.0.0"', `"version": "${UPGRADED.number}"`)
    .replace("Multiplies the base price, such as 1.15", "Multiplies the base price: 1.15 adds 15 percent")
    .replace("As agreed with us. Never shown again.", "As agreed with us, or empty. Never shown again.");
  if (text === draft.text) return;
  const { revision, baseVersionId } = draft;
  const saved = await saveDraft(platform, publisher, listing.id, { text, revision, baseVersionId });
  await releaseManifest(platform, publisher, listing.id, { revision: saved.revision, notes: UPGRADED.notes });
  await verifyNewest(platform, member, moderator, UPGRADED.appName);
}

/** A change of a manifest that its publisher has not released. */
export async function beginDraft(platform: Platform, member: Member): Promise<void> {
  const publisher = toPublisher(member);
  const listing = await selectListing(platform.db, member.organization.id, "renewal-reminders");
  if (listing === undefined) return;
  const { revision, baseVersionId, ...draft } = await readDraft(platform, publisher, listing.id);
  const text = draft.text.replace('"30 days before"', '"A month before"');
  if (revision > 0 || text === draft.text) return;
  await saveDraft(platform, publisher, listing.id, { text, revision, baseVersionId });
}
