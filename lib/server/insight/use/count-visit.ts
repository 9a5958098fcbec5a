/** Counts visitors of listings at the server, without cookies. See docs/decisions/055. */
import { createHmac } from "node:crypto";
import type { VisitKind } from "@/drizzle/schema/insight";
import { isRobot } from "@/lib/domain/insight/visitors";
import { isPublishersOwn } from "../../accounts/member-queries";
import { deriveKey } from "../../platform/keyring";
import type { Platform } from "../../platform/platform";
import { insertVisitor } from "./use-queries";

interface Visit {
  kind: VisitKind;
  listing: { id: string; organizationId: string };
  /** The visitor's, if one is signed in. */
  organizationId: string | undefined;
  /** Where the request comes from. */
  client: { network: string; userAgent: string };
}

/**
 * Counts an organization, or a network without one, once a day for each listing. Members of the listing's own organization don't count, whichever
 * organization they act for, nor does their network for the rest of the day, where they may be signed out. Robots don't either.
 */
export async function countVisit(
  { db, keyring }: Platform,
  { kind, listing, organizationId, client }: Visit,
  now = new Date(),
): Promise<void> {
  if (isRobot(client.userAgent)) return;
  const day = now.toISOString().slice(0, 10);
  const key = deriveKey(keyring.current, "visitors");
  const name = (visitor: string) =>
    createHmac("sha256", key).update([day, listing.id, visitor].join("\n")).digest("base64url").slice(0, 22);
  const isOwn =
    organizationId !== undefined && (await isPublishersOwn(db, organizationId, listing.organizationId));
  const network = name(`network ${client.network}`);
  const visitor = organizationId === undefined || isOwn ? network : name(`organization ${organizationId}`);
  await insertVisitor(db, { listingId: listing.id, day, kind, visitor, isCounted: !isOwn });
}
