import type { CommentAnchor, CommentInput, CommentView } from "@/lib/contract/moderation/review";
import { Problem } from "@/lib/contract/platform/problem";
import { getTextField } from "@/lib/domain/catalog/listing-text";
import {
  editableSince,
  editableUntil,
  type Participation,
  participationIn,
  PUBLISHING_ROLES,
  reviewPath,
} from "@/lib/domain/moderation/review";
import type { Actor } from "@/lib/domain/platform/actor";
import type { Db } from "../platform/database/connect";
import { notify } from "../platform/notifications/notify";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import {
  type CommentRow,
  type Conversation,
  editComment,
  insertComment,
  isOwnComment,
  resolveThread,
  selectComments,
  selectConversation,
  selectModerators,
  startsThread,
} from "./comment-queries";
import { readEvidence } from "./evidence/queue-evidence";

/** How much a comment quotes of a long line or text. */
const LONGEST_QUOTE = 300;

/** Throws NOT_FOUND for a foreign review or thread, NOT_ALLOWED, or BAD_INPUT if there is no such line. */
export async function writeComment(
  platform: Platform,
  actor: Actor,
  reviewId: string,
  { body, anchor, parentId }: CommentInput,
): Promise<{ commentId: string }> {
  const { conversation, participation } = await requireWriter(platform, actor, reviewId);
  const stored = anchor && { ...anchor, quote: await quote(platform, conversation, anchor) };
  return platform.db.transaction(async (tx) => {
    if (parentId !== undefined && !(await startsThread(tx, reviewId, parentId)))
      throw new Problem("NOT_FOUND");
    const commentId = await insertComment(tx, {
      reviewId,
      body,
      parentId,
      anchor: stored,
      authorId: actor.userId,
      moderator: participation === "moderator",
    });
    await tellOtherSide(tx, actor, conversation, participation, body);
    await recordAudit(tx, platform.keyring, {
      chain: conversation.organizationId,
      actor: `user:${actor.userId}`,
      action: "review.comment",
      subject: `review:${reviewId}`,
      details: { commentId, as: participation, ...(parentId === undefined ? {} : { parentId }) },
    });
    return { commentId };
  });
}

/** Changes one's own comment within 15 minutes. Throws NOT_FOUND for others' comments, or WRONG_STATE. */
export async function editOwnComment(
  platform: Platform,
  actor: Actor,
  reviewId: string,
  commentId: string,
  body: string,
): Promise<void> {
  const { conversation } = await requireWriter(platform, actor, reviewId);
  const own = { reviewId, commentId, authorId: actor.userId };
  await platform.db.transaction(async (tx) => {
    if (!(await isOwnComment(tx, own))) throw new Problem("NOT_FOUND");
    if (!(await editComment(tx, own, body, editableSince(new Date()))))
      throw new Problem("WRONG_STATE", "Comments can be edited for 15 minutes. Write a reply instead.");
    await recordAudit(tx, platform.keyring, {
      chain: conversation.organizationId,
      actor: `user:${actor.userId}`,
      action: "review.comment-edit",
      subject: `review:${reviewId}`,
      details: { commentId },
    });
  });
}

/** Resolves or reopens a thread. Both sides may. Throws NOT_FOUND or NOT_ALLOWED. */
export async function settleThread(
  platform: Platform,
  actor: Actor,
  reviewId: string,
  commentId: string,
  resolved: boolean,
): Promise<void> {
  const { conversation } = await requireWriter(platform, actor, reviewId);
  await platform.db.transaction(async (tx) => {
    if (!(await startsThread(tx, reviewId, commentId))) throw new Problem("NOT_FOUND");
    if (!(await resolveThread(tx, reviewId, commentId, resolved ? actor.userId : null))) return;
    await recordAudit(tx, platform.keyring, {
      chain: conversation.organizationId,
      actor: `user:${actor.userId}`,
      action: resolved ? "review.comment-resolve" : "review.comment-reopen",
      subject: `review:${reviewId}`,
      details: { commentId },
    });
  });
}

/** A moderator's comment goes to the publisher; a publisher's to the moderators who take part, or to all if none does yet. */
async function tellOtherSide(
  tx: Db,
  { userId, name }: Actor,
  { reviewId, organizationId, appName, title }: Conversation,
  side: "moderator" | "publisher",
  body: string,
): Promise<void> {
  const common = {
    kind: "comment",
    title: `${name} commented on the review of ${title}`,
    body,
    subject: `review:${reviewId}`,
  } as const;
  const publisher = { organizationId, roles: PUBLISHING_ROLES, except: userId };
  await notify(tx, { ...common, to: publisher, href: reviewPath({ appName, id: reviewId }) });
  const moderators = (await selectModerators(tx, reviewId)).filter((id) => id !== userId);
  const isFirst = side === "publisher" && moderators.length === 0;
  const recipients = isFirst ? [{ moderators: true } as const] : moderators.map((id) => ({ userId: id }));
  for (const to of recipients) await notify(tx, { ...common, to, href: `/moderation/${reviewId}` });
}

/** What is there, read from what was submitted and found, and never from the request. Throws BAD_INPUT if nothing is. */
async function quote(
  platform: Platform,
  { reviewId, manifestText, text }: Conversation,
  anchor: CommentAnchor,
): Promise<string> {
  const found =
    anchor.type === "text"
      ? getTextField(text, anchor.field)
      : anchor.type === "manifest"
        ? manifestText?.split(/\r\n|\r|\n/)[anchor.line - 1]
        : (await readEvidence(platform, reviewId))?.checks.find(({ name }) => name === anchor.name)?.title;
  if (found !== undefined) return found.slice(0, LONGEST_QUOTE);
  const what =
    anchor.type === "manifest" ? `The manifest has no line ${anchor.line}` : "This check has no result";
  const message = `${what}. Reload the page to see the version under review.`;
  throw new Problem("BAD_INPUT", message, [{ code: "not-there", pointer: "/anchor", message }]);
}

/** A review's comments, oldest first. Throws NOT_FOUND for everybody but moderators and the publisher. */
export async function listComments(
  platform: Platform,
  actor: Actor,
  reviewId: string,
): Promise<{ comments: CommentView[] }> {
  await requireReader(platform, actor, reviewId);
  const rows = await selectComments(platform.db, reviewId);
  return { comments: rows.map((row) => viewComment(row, actor.userId)) };
}

function viewComment({ authorId, ...row }: CommentRow, userId: string): CommentView {
  return {
    ...row,
    mine: authorId === userId,
    createdAt: row.createdAt.toISOString(),
    editedAt: row.editedAt?.toISOString() ?? null,
    editableUntil: editableUntil(row.createdAt).toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
  };
}

interface Participant {
  conversation: Conversation;
  participation: Participation;
}

/** Throws NOT_FOUND for everybody but moderators and the publisher's owners and publishers. */
export async function requireReader(
  platform: Platform,
  actor: Actor,
  reviewId: string,
): Promise<Participant> {
  const conversation = await selectConversation(platform.db, reviewId, actor.userId);
  const participation =
    conversation && participationIn(actor, conversation.organizationId, conversation.belongs);
  if (conversation === undefined || participation === undefined) throw new Problem("NOT_FOUND");
  return { conversation, participation };
}

/** Throws NOT_ALLOWED for a moderator who belongs to the publisher and works elsewhere. */
async function requireWriter(
  platform: Platform,
  actor: Actor,
  reviewId: string,
): Promise<Participant & { participation: "moderator" | "publisher" }> {
  const { conversation, participation } = await requireReader(platform, actor, reviewId);
  if (participation === "observer")
    throw new Problem(
      "NOT_ALLOWED",
      "This listing belongs to your organization, so you can't write as a moderator. Switch to that organization to write as its publisher.",
    );
  return { conversation, participation };
}
