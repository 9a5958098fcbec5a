"use client";

import { MessageSquarePlus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import type { CommentAnchor, CommentView } from "@/lib/contract/review";
import { CommentForm } from "./comment-form";
import { CommentThread } from "./comment-thread";
import { useCommentChanges, useConversation } from "./review-comments";

export function isAt(anchor: CommentView["anchor"], place: CommentAnchor): boolean {
  if (anchor?.type !== place.type) return false;
  if (place.type === "manifest") return anchor.line === place.line;
  return place.type === "check" ? anchor.name === place.name : anchor.field === place.field;
}

interface AnchoredThreadsProps {
  /** What the comments are about. */
  place: CommentAnchor;
  /** Names it, such as “line 12”. */
  name: string;
  /** The form is shown; `onClose` hides it. */
  isWriting: boolean;
  onClose: () => void;
}

/** The threads about one thing, and a form for another one. */
export function AnchoredThreads({ place, name, isWriting, onClose }: AnchoredThreadsProps) {
  const { threads } = useConversation();
  const { write } = useCommentChanges();
  const here = threads.filter(({ root }) => isAt(root.anchor, place));
  if (here.length === 0 && !isWriting) return null;
  return (
    <div className="flex flex-col gap-3 py-2 font-sans whitespace-normal">
      {here.map((thread) => (
        <CommentThread key={thread.root.id} thread={thread} />
      ))}
      {isWriting && (
        <div className="rounded-card border border-line bg-surface p-4">
          <CommentForm
            label={`Comment on ${name}`}
            submitText="Comment"
            save={(body) => write.mutateAsync({ body, anchor: place }).then(onClose)}
            error={write.error}
            isPending={write.isPending}
            onCancel={onClose}
            autoFocus
          />
        </div>
      )}
    </div>
  );
}

/** The threads about one thing below it, with a button that starts another one. */
export function CommentPlace({ place, name }: Pick<AnchoredThreadsProps, "place" | "name">) {
  const { mayWrite } = useConversation();
  const [isWriting, setWriting] = useState(false);
  return (
    <div>
      <AnchoredThreads place={place} name={name} isWriting={isWriting} onClose={() => setWriting(false)} />
      {mayWrite && !isWriting && (
        <Button
          size="small"
          tone="quiet"
          className="-ml-3"
          aria-label={`Comment on ${name}`}
          onPress={() => setWriting(true)}
        >
          <MessageSquarePlus aria-hidden className="size-4" />
          Comment
        </Button>
      )}
    </div>
  );
}
