"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { JsonTokens } from "@/components/ui/json-tokens";
import { showDirectionMarks } from "@/components/ui/user-text";
import { AnchoredThreads } from "./anchored-threads";
import { useConversation } from "./review-comments";

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
        aria-label="Lines of the manifest"
        className="max-h-[65dvh] overflow-auto py-2 font-mono text-[13px] leading-6"
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
                <code className="min-w-0 flex-1 pr-4 wrap-anywhere whitespace-pre-wrap text-ink">
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
