import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ImageUse } from "@/lib/contract/image";
import type { ListingInput, ListingText } from "@/lib/contract/listing";
import type { Manifest } from "@/lib/contract/manifest";
import { toPublisher, type Member } from "@/lib/domain/actor";
import { storeImage } from "../images/store-image";
import { createListing } from "../listings/create-listing";
import type { Platform } from "../platform/platform";
import { publishExampleFolder } from "../publishing/publish-example-folder";
import { findExampleFolder } from "../runtimes/example-folder";
import { createLinks } from "./apps";
import type { CatalogApp } from "./catalog/catalog-app";
import { selectListing } from "./queries";

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
export async function storePictures(
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
    ...{ appName, title, tagline, category },
    about: { product, company, offering },
    requirements: { technicalDetails, launchInstructions, complianceDetails },
    links: createLinks(slug, appName),
  };
}

function writeManifest(slug: string, { appName, version, app, core }: CatalogApp): string {
  const manifest: Manifest = { name: `${slug}/${appName}`, version, app, core };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
