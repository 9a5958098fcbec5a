/** What search engines read about an app, in the vocabulary of schema.org. */
import { imagePath } from "@/lib/contract/image-path";
import type { ListingText } from "@/lib/contract/listing";
import { CATEGORY_NAMES } from "@/lib/contract/listing-terms";
import { summarizeMarkdown } from "../summarize-markdown";

interface PublicListing extends ListingText {
  organizationSlug: string;
  organizationName: string;
  appName: string;
}

export function describeSoftware(
  listing: PublicListing,
  version: { number: string; createdAt: Date } | undefined,
  webUrl: string,
): object {
  const absolute = (path: string) => new URL(path, webUrl).href;
  const { icon, screenshots, links } = listing;
  return {
    "@context": "https://schema.org",
    "@type": "SoftwareApplication",
    name: listing.title,
    description: listing.tagline || summarizeMarkdown(listing.about.product),
    url: absolute(`/marketplace/${listing.organizationSlug}/${listing.appName}`),
    applicationCategory: "BusinessApplication",
    applicationSubCategory: CATEGORY_NAMES[listing.category],
    operatingSystem: "App Hosting Platform",
    ...(icon === null ? {} : { image: absolute(imagePath(icon)) }),
    ...(screenshots.length === 0
      ? {}
      : { screenshot: screenshots.map(({ image }) => absolute(imagePath(image))) }),
    ...(links.support === "" ? {} : { softwareHelp: { "@type": "CreativeWork", url: links.support } }),
    ...(version === undefined
      ? {}
      : { softwareVersion: version.number, datePublished: version.createdAt.toISOString() }),
    publisher: {
      "@type": "Organization",
      name: listing.organizationName,
      url: absolute(`/publishers/${listing.organizationSlug}`),
    },
  };
}

/** JSON that can't end the script element that it is in, nor open a comment in it. */
export function toScriptText(data: object): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
