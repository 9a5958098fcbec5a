"use client";

import { Check, RotateCcw } from "lucide-react";
import { useEffect, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/forms/lazy-code";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import { showDirectionMarks } from "@/lib/domain/platform/text";
import { CHECK_NAMES } from "@/lib/contract/moderation/check-names";
import type { CommentView } from "@/lib/contract/moderation/review";
import { TEXT_FIELD_LABELS } from "@/lib/domain/catalog/listing-text";
import type { Thread } from "@/lib/domain/moderation/review";
import { CHECK_TITLES } from "@/lib/domain/moderation/verdict";
import { CommentForm } from "./comment-form";
import { useCommentChanges, useConversation } from "./review-comments";

/** Of many threads, the newest are shown at first. */
const SHOWN = 5;

/** The threads of the review, open ones first, and a form for a comment on the whole. */
export function CommentsCard() {
  const { threads, mayWrite } = useConversation();
  const { write } = useCommentChanges();
  // Ids sort by time. The first one shown stays the first while others write, so that nobody's reply disappears.
  const [firstId, setFirstId] = useState(threads.at(-SHOWN)?.root.id ?? "");
  const earlier = threads.filter(({ root }) => root.id < firstId).length;
  const open = threads.filter(({ root }) => root.resolvedAt === null);
  const resolved = threads.filter(({ root }) => root.resolvedAt !== null);
  return (
    <Card
      id="comments"
      title="Comments"
      description={
        threads.length === 0
          ? "Only moderators and the publisher can see these comments."
          : `${open.length} open, ${resolved.length} resolved`
      }
    >
      <div className="flex flex-col gap-4">
        {earlier > 0 && (
          <Button size="small" className="self-start" onPress={() => setFirstId("")}>
            Show {earlier} earlier {earlier === 1 ? "thread" : "threads"}
          </Button>
        )}
        {[...open, ...resolved]
          .filter(({ root }) => root.id >= firstId)
          .map((thread) => (
            <CommentThread key={thread.root.id} thread={thread} anchored />
          ))}
        {mayWrite && (
          <CommentForm
            label="New comment"
            submitText="Comment"
            save={(body) => write.mutateAsync({ body })}
            error={write.error}
            isPending={write.isPending}
          />
        )}
      </div>
    </Card>
  );
}

/** Most reviews have no comments. Until its code is loaded, a comment is shown as it was typed. */
const Markdown = lazyPart(
  async () => (await import("@/components/catalog/marketplace/markdown")).Markdown,
  ({ children }) => (
    <div dir="auto" className="prose-plain max-w-prose break-words whitespace-pre-wrap text-ink-soft">
      {showDirectionMarks(children)}
    </div>
  ),
);

interface CommentThreadProps {
  thread: Thread<CommentView>;
  /** Says what it is about; not where it is shown beside that. */
  anchored?: boolean;
}

/** A comment with its replies. A resolved one is folded. */
export function CommentThread({ thread: { root, replies }, anchored = false }: CommentThreadProps) {
  const { mayWrite } = useConversation();
  const { write, settle } = useCommentChanges();
  const [isReplying, setReplying] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const isResolved = root.resolvedAt !== null;
  if (isResolved && !isOpen)
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card border border-line bg-subtle px-4 py-2 text-small text-ink-faint">
        <Check aria-hidden className="size-4 shrink-0 text-success" />
        <span className="min-w-0 flex-1 wrap-anywhere">
          Resolved by {root.resolvedBy} <RelativeTime at={root.resolvedAt ?? root.createdAt} />
          {anchored && root.anchor !== null && <> · {describeAnchor(root.anchor)}</>}
        </span>
        <Button size="small" tone="quiet" onPress={() => setOpen(true)}>
          Show {replies.length + 1} {replies.length === 0 ? "comment" : "comments"}
        </Button>
      </div>
    );
  return (
    <article
      aria-label={`Thread started by ${root.author}`}
      className="rounded-card border border-line bg-surface font-sans text-sm"
    >
      {anchored && root.anchor !== null && <Quote anchor={root.anchor} />}
      <ul className="divide-y divide-line">
        {[root, ...replies].map((comment) => (
          <Comment key={comment.id} comment={comment} />
        ))}
      </ul>
      {mayWrite && (
        <div className="flex flex-col gap-2 border-t border-line px-4 py-3">
          <ProblemNotice error={settle.error} />
          {isReplying ? (
            <CommentForm
              label="Reply"
              submitText="Reply"
              save={(body) => write.mutateAsync({ body, parentId: root.id }).then(() => setReplying(false))}
              error={write.error}
              isPending={write.isPending}
              onCancel={() => setReplying(false)}
              autoFocus
            />
          ) : (
            <div className="flex flex-wrap gap-2">
              <Button size="small" onPress={() => setReplying(true)}>
                Reply
              </Button>
              <Button
                size="small"
                tone="quiet"
                isPending={settle.isPending}
                onPress={() => settle.mutate({ id: root.id, resolved: !isResolved })}
              >
                {isResolved ? (
                  <RotateCcw aria-hidden className="size-4" />
                ) : (
                  <Check aria-hidden className="size-4" />
                )}
                {isResolved ? "Reopen" : "Resolve"}
              </Button>
            </div>
          )}
        </div>
      )}
    </article>
  );
}

function Quote({ anchor }: { anchor: NonNullable<CommentView["anchor"]> }) {
  return (
    <header className="border-b border-line bg-subtle px-4 py-2 text-small text-ink-faint">
      <p>{describeAnchor(anchor)}</p>
      {anchor.type !== "check" && anchor.quote.trim() !== "" && (
        <p translate="no" className="mt-0.5 truncate font-mono text-xs text-ink-soft">
          <UserText>{anchor.quote}</UserText>
        </p>
      )}
    </header>
  );
}

function Comment({ comment }: { comment: CommentView }) {
  const { edit } = useCommentChanges();
  const [isEditing, setEditing] = useState(false);
  const isEditable = useBefore(comment.editableUntil) && comment.mine;
  return (
    <li className="flex flex-col gap-1.5 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <UserText className="font-medium text-ink">{comment.author}</UserText>
        <Badge tone={comment.moderator ? "accent" : "neutral"}>
          {comment.moderator ? "Moderator" : "Publisher"}
        </Badge>
        <span className="text-small text-ink-faint">
          <RelativeTime at={comment.createdAt} />
          {comment.editedAt !== null && " · edited"}
        </span>
        {isEditable && !isEditing && (
          <Button size="small" tone="quiet" className="ml-auto" onPress={() => setEditing(true)}>
            Edit
          </Button>
        )}
      </div>
      {isEditing ? (
        <CommentForm
          label="Edit the comment"
          submitText="Save"
          initial={comment.body}
          save={(body) => edit.mutateAsync({ id: comment.id, body }).then(() => setEditing(false))}
          error={edit.error}
          isPending={edit.isPending}
          onCancel={() => setEditing(false)}
          autoFocus
        />
      ) : (
        <Markdown>{comment.body}</Markdown>
      )}
    </li>
  );
}

/** Whether the moment is still to come. */
function useBefore(moment: string): boolean {
  const end = new Date(moment).getTime();
  const [isBefore, setBefore] = useState(false);
  useEffect(() => {
    const left = end - Date.now();
    const timers = [
      setTimeout(() => setBefore(left > 0)),
      setTimeout(() => setBefore(false), Math.max(0, left)),
    ];
    return () => timers.forEach(clearTimeout);
  }, [end]);
  return isBefore;
}

/** What a comment is about, such as “Line 12 of the manifest”. */
function describeAnchor(anchor: NonNullable<CommentView["anchor"]>): string {
  if (anchor.type === "manifest") return `Line ${anchor.line} of the manifest`;
  if (anchor.type === "check") {
    const name = CHECK_NAMES.find((each) => each === anchor.quote);
    return `Check: ${name === undefined ? anchor.quote : CHECK_TITLES[name]}`;
  }
  return anchor.field === undefined ? "Listing text" : `Listing text: ${TEXT_FIELD_LABELS[anchor.field]}`;
}
