"use client";

import { MessageSquarePlus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { JsonTokens } from "@/components/ui/json-tokens";
import { showDirectionMarks } from "@/lib/domain/platform/text";
import type { CommentAnchor, CommentView } from "@/lib/contract/moderation/review";
import { CommentForm } from "./comment-form";
import { CommentThread } from "./comment-thread";
import { useCommentChanges, useConversation } from "./review-comments";

function isAt(anchor: CommentView["anchor"], place: CommentAnchor): boolean {
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
function AnchoredThreads({ place, name, isWriting, onClose }: AnchoredThreadsProps) {
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

/** Where text is so large that a name and the button have no room on one line of a phone, the button stays below. */
const BESIDE = "-ml-3 min-[20rem]:absolute min-[20rem]:-top-1.5 min-[20rem]:-right-3 min-[20rem]:ml-0";

/** The threads about one thing below it, with a button that starts another one. */
export function CommentPlace({
  place,
  name,
  isBeside = false,
}: Pick<AnchoredThreadsProps, "place" | "name"> & {
  /** The button is in the upper right corner of what is commented on, which is its positioned ancestor. */
  isBeside?: boolean;
}) {
  const { mayWrite } = useConversation();
  const [isWriting, setWriting] = useState(false);
  return (
    <div>
      <AnchoredThreads place={place} name={name} isWriting={isWriting} onClose={() => setWriting(false)} />
      {mayWrite && !isWriting && (
        <div className={isBeside ? BESIDE : "-ml-3"}>
          <Button
            size="small"
            tone="quiet"
            aria-label={`Comment on ${name}`}
            onPress={() => setWriting(true)}
          >
            <MessageSquarePlus aria-hidden className="size-4" />
            Comment
          </Button>
        </div>
      )}
    </div>
  );
}

/** More lines are shown on request: a manifest may have tens of thousands. */
const PAGE = 500;

/** A manifest line by line. A line's number starts a comment on it; its threads are below it. */
export function ManifestLines({ text }: { text: string }) {
  const { threads, mayWrite } = useConversation();
  const [count, setCount] = useState(PAGE);
  const [writing, setWriting] = useState<number>();
  const lines = text.split(/\r\n|\r|\n/);
  const commented = new Set(threads.map(({ root }) => root.anchor?.line));
  return (
    <div className="min-w-0 overflow-hidden rounded-field border border-line bg-subtle">
      <ol
        translate="no"
        aria-label="Lines of the manifest"
        className="max-h-[65dvh] overflow-auto py-2 font-mono text-small leading-6"
      >
        {lines.slice(0, count).map((line, index) => {
          const number = index + 1;
          const isOpen = writing === number || commented.has(number);
          return (
            <li key={number}>
              <div className={`flex ${isOpen ? "bg-accent-soft" : ""}`}>
                {mayWrite ? (
                  <button
                    type="button"
                    aria-label={`Comment on line ${number}`}
                    onClick={() => setWriting(number)}
                    className="flex w-14 shrink-0 cursor-pointer items-start justify-end pr-3 text-ink-faint tabular-nums select-none hover:bg-hover hover:text-accent-text focus-visible:-outline-offset-2"
                  >
                    {number}
                  </button>
                ) : (
                  <span className="w-14 shrink-0 pr-3 text-right text-ink-faint tabular-nums select-none">
                    {number}
                  </span>
                )}
                <code
                  translate="no"
                  className="min-w-0 flex-1 pr-4 wrap-anywhere whitespace-pre-wrap text-ink"
                >
                  <JsonTokens text={showDirectionMarks(line)} />
                </code>
              </div>
              {isOpen && (
                <div className="px-3 sm:pr-4 sm:pl-14">
                  <AnchoredThreads
                    place={{ type: "manifest", line: number }}
                    name={`line ${number}`}
                    isWriting={writing === number}
                    onClose={() => setWriting(undefined)}
                  />
                </div>
              )}
            </li>
          );
        })}
      </ol>
      {lines.length > count && (
        <div className="border-t border-line px-3 py-2">
          <Button size="small" tone="quiet" onPress={() => setCount(count + PAGE)}>
            Show more of {lines.length} lines
          </Button>
        </div>
      )}
    </div>
  );
}
