/** What moderators and publishers send and read about reviews. */
import * as z from "zod";
import { CHECK_NAMES } from "./check-names";
import { TEXT_FIELDS } from "./listing-terms";
import { atMost, shownText } from "./shown-text";

const commentBody = shownText.min(1, "Write a comment.").max(4000, atMost(4000));

/** What a comment is about: a line of the version's manifest, one of the automatic checks, or a field of the text. */
const commentAnchor = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("manifest"), line: z.int().min(1) }),
  z.strictObject({ type: z.literal("check"), name: z.enum(CHECK_NAMES) }),
  z.strictObject({ type: z.literal("text"), field: z.enum(TEXT_FIELDS) }),
]);
export type CommentAnchor = z.infer<typeof commentAnchor>;

/** `quote`: what was there when the comment was written. */
export type StoredAnchor = CommentAnchor & { quote: string };

export const commentInput = z
  .strictObject({
    body: commentBody,
    anchor: commentAnchor.optional(),
    /** The comment that it replies to: one that starts a thread. */
    parentId: z.uuid().optional(),
  })
  .refine(({ anchor, parentId }) => anchor === undefined || parentId === undefined, {
    path: ["anchor"],
    message: "A reply can't have its own anchor. Remove the anchor.",
  });
export type CommentInput = z.infer<typeof commentInput>;

export const commentEdit = z.strictObject({ body: commentBody });

export const commentResolution = z.strictObject({ resolved: z.boolean() });

const moment = z.iso.datetime();

export const commentView = z.object({
  id: z.uuid(),
  parentId: z.uuid().nullable(),
  author: z.string(),
  /** Written as a moderator; otherwise for the publisher. */
  moderator: z.boolean(),
  mine: z.boolean(),
  body: z.string(),
  anchor: z
    .object({
      type: z.enum(["manifest", "check", "text"]),
      line: z.int().optional(),
      name: z.string().optional(),
      field: z.enum(TEXT_FIELDS).optional(),
      quote: z.string(),
    })
    .nullable(),
  createdAt: moment,
  editedAt: moment.nullable(),
  /** Until when its author can edit it. */
  editableUntil: moment,
  resolvedAt: moment.nullable(),
  resolvedBy: z.string().nullable(),
});
export type CommentView = z.infer<typeof commentView>;

export const commentList = z.object({ comments: z.array(commentView) });

/** Where the sandbox's launch wizard or installation is. */
export const sandboxAnswer = z.object({ href: z.string() });

const reason = shownText
  .min(1, "Enter a reason. It is shown to customers and the publisher.")
  .max(4000, atMost(4000));

export const suspensionInput = z.strictObject({
  reason,
  /** Also stops the running installations of every customer. */
  stopInstallations: z.boolean().default(false),
});
export type SuspensionInput = z.infer<typeof suspensionInput>;
