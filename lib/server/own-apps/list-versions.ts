import type { AppVersions } from "@/lib/contract/own-app";
import type { Platform } from "../platform/platform";
import type { OwnApp } from "./find-app";
import { selectVersionPage } from "./queries";

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
