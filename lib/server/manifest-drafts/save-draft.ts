import type { SavedDraft, SaveDraftInput } from "@/lib/contract/manifest-draft";
import { Problem } from "@/lib/contract/problem";
import { recordAudit } from "../audit/record-audit";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { requireOpen } from "../versions/store-version";
import type { Publisher } from "@/lib/domain/actor";
import { lockDraftListing, isVersionOf, selectActorName, selectDraft, writeDraft } from "./queries";

/** Any text, broken or not. Throws NOT_FOUND, WRONG_STATE for a retired listing, STALE_REVISION, BAD_INPUT. */
export async function saveDraft(
  platform: Platform,
  publisher: Publisher,
  listingId: string,
  input: SaveDraftInput,
): Promise<SavedDraft> {
  const { text, revision, baseVersionId } = input;
  return platform.db.transaction(async (tx) => {
    await requireDraftListing(tx, publisher, listingId);
    if (baseVersionId !== null && !(await isVersionOf(tx, listingId, baseVersionId))) throw noSuchBase();
    return storeDraft(platform, tx, publisher, { listingId, text, baseVersionId }, revision);
  });
}

/** Holds the organization's own listing, which must not be retired, until the transaction ends. */
export async function requireDraftListing(tx: Db, publisher: Publisher, listingId: string, alone = false) {
  const listing = await lockDraftListing(tx, publisher.organizationId, listingId, alone);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  requireOpen(listing.state);
  return listing;
}

export interface DraftContent {
  listingId: string;
  text: string;
  baseVersionId: string | null;
}

/** Writes over revision `expected` (null: over any), with its audit row. What is there already is not written again. */
export async function storeDraft(
  platform: Platform,
  tx: Db,
  publisher: Publisher,
  content: DraftContent,
  expected: number | null,
): Promise<SavedDraft> {
  const written = await writeDraft(tx, { ...content, updatedBy: publisher.actor }, expected);
  if (written === undefined) return alreadyThere(tx, content);
  const { listingId, text, baseVersionId } = content;
  const { revision, updatedAt } = written;
  const updatedBy = (await selectActorName(tx, publisher.actor)) ?? null;
  await recordAudit(tx, platform.keyring, {
    chain: publisher.organizationId,
    actor: publisher.actor,
    action: "manifest-draft.save",
    subject: `listing:${listingId}`,
    details: { revision, over: expected ?? "any", baseVersionId, characters: text.length },
  });
  return { revision, baseVersionId, updatedAt: updatedAt.toISOString(), updatedBy };
}

/** A save whose answer was lost, and which is sent again, finds its own text: that is no foreign change. */
async function alreadyThere(tx: Db, { listingId, text, baseVersionId }: DraftContent): Promise<SavedDraft> {
  const draft = await selectDraft(tx, listingId);
  if (draft === undefined) throw staleRevision();
  const updatedBy = (await selectActorName(tx, draft.updatedBy)) ?? null;
  if (draft.text !== text || draft.baseVersionId !== baseVersionId)
    throw staleRevision(updatedBy, draft.updatedAt);
  return { revision: draft.revision, baseVersionId, updatedAt: draft.updatedAt.toISOString(), updatedBy };
}

export function staleRevision(by: string | null = null, at?: Date): Problem {
  const when = at === undefined ? "" : ` on ${at.toISOString().slice(0, 16).replace("T", " at ")} UTC`;
  const detail = `${by ?? "Somebody else"} saved another draft of this manifest${when}, after the one that yours was made from. Nothing was overwritten: compare the two, then take one or merge them.`;
  return new Problem("STALE_REVISION", detail);
}

function noSuchBase(): Problem {
  const message = "This listing has no such version. Load the page again.";
  return new Problem("BAD_INPUT", message, [{ code: "NO_SUCH_VERSION", pointer: "/baseVersionId", message }]);
}
