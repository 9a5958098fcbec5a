"use client";

import { Card } from "@/components/ui/card";
import { CommentForm } from "./comment-form";
import { CommentThread } from "./comment-thread";
import { useCommentChanges, useConversation } from "./review-comments";

/** Every thread of the review, open ones first, and a form for a comment on the whole. */
export function CommentsCard() {
  const { threads, mayWrite } = useConversation();
  const { write } = useCommentChanges();
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
        {[...open, ...resolved].map((thread) => (
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
