import type { SavedDraft, SaveDraftInput } from "@/lib/contract/manifest-draft";
import { Problem } from "@/lib/contract/problem";
import type { Publisher } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { hasVersion } from "../versions/queries";
import { requireOpen } from "../versions/store-version";
import { lockDraftListing, selectActorName, selectDraft, writeDraft } from "./queries";

/** Saves any text, valid or not. Throws NOT_FOUND, WRONG_STATE for a retired listing, STALE_REVISION, BAD_INPUT. */
export async function saveDraft(
  platform: Platform,
  publisher: Publisher,
  listingId: string,
  input: SaveDraftInput,
): Promise<SavedDraft> {
  const { text, revision, baseVersionId } = input;
  return platform.db.transaction(async (tx) => {
    await requireDraftListing(tx, publisher, listingId);
    if (baseVersionId !== null && !(await hasVersion(tx, listingId, baseVersionId))) throw unknownBase();
    return storeDraft(platform, tx, publisher, { listingId, text, baseVersionId }, revision);
  });
}

/** Locks the publisher's own listing until the transaction ends. Throws WRONG_STATE if it is retired. */
export async function requireDraftListing(
  tx: Db,
  publisher: Publisher,
  listingId: string,
  exclusive = false,
) {
  const listing = await lockDraftListing(tx, publisher.organizationId, listingId, exclusive);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  requireOpen(listing.state);
  return listing;
}

export interface DraftContent {
  listingId: string;
  text: string;
  baseVersionId: string | null;
}

/** Overwrites revision `expected` (null: any) and records it. A draft that is already saved is not written again. */
export async function storeDraft(
  platform: Platform,
  tx: Db,
  publisher: Publisher,
  content: DraftContent,
  expected: number | null,
): Promise<SavedDraft> {
  const written = await writeDraft(tx, { ...content, updatedBy: publisher.actor }, expected);
  if (written === undefined) return requireSaved(tx, content);
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

/** A save that is repeated because its response was lost finds its own text. Anything else is someone else's change. */
async function requireSaved(tx: Db, { listingId, text, baseVersionId }: DraftContent): Promise<SavedDraft> {
  const draft = await selectDraft(tx, listingId);
  if (draft === undefined) throw staleRevision();
  const updatedBy = (await selectActorName(tx, draft.updatedBy)) ?? null;
  if (draft.text !== text || draft.baseVersionId !== baseVersionId)
    throw staleRevision(updatedBy, draft.updatedAt);
  return { revision: draft.revision, baseVersionId, updatedAt: draft.updatedAt.toISOString(), updatedBy };
}

export function staleRevision(by: string | null = null, at?: Date): Problem {
  const when = at === undefined ? "" : ` on ${at.toISOString().slice(0, 16).replace("T", " at ")} UTC`;
  const detail = `${by ?? "Someone else"} saved this manifest${when}, after you loaded it. Your changes were not saved. Compare both drafts, then choose one or merge them.`;
  return new Problem("STALE_REVISION", detail);
}

function unknownBase(): Problem {
  const message = "This listing doesn't have the version that the draft is based on. Reload the page.";
  return new Problem("BAD_INPUT", message, [{ code: "NO_SUCH_VERSION", pointer: "/baseVersionId", message }]);
}
