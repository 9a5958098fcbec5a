"use client";

import { useEffect, useRef } from "react";
import { LinkPending } from "@/components/ui/link-pending";
import { chipStyles, PageLink } from "@/components/ui/links";
import { scrollRowTo } from "@/components/ui/scroll-row";

interface ChipsProps {
  label: string;
  chips: { text: string; href: string; current: boolean }[];
}

// Client components, so that a page carries the names and addresses of its many links, and not also a tree of each.

/** One row on a phone, which scrolls sideways under the finger or with the focus. Not prefetched: each is a search. */
export function Chips({ label, chips }: ChipsProps) {
  const row = useRef<HTMLUListElement>(null);
  const chosen = chips.findIndex(({ current }) => current);
  useEffect(() => {
    if (row.current !== null) scrollRowTo(row.current, row.current.children[chosen]);
  }, [chosen]);
  return (
    <nav aria-label={label} className="flex items-center gap-x-4 max-sm:-mx-4">
      <p aria-hidden className="w-24 shrink-0 text-small text-ink-faint max-sm:hidden">
        {label}
      </p>
      <ul
        ref={row}
        className="relative flex min-w-0 scroll-px-4 [scrollbar-width:none] gap-1.5 py-1 max-sm:overflow-x-auto max-sm:px-4 sm:flex-wrap"
      >
        {chips.map(({ text, href, current }) => (
          <li key={text} className="shrink-0">
            <PageLink
              href={href}
              aria-current={current ? "true" : undefined}
              className={chipStyles(current)}
              // Browsers don't scroll to one that is partly in sight, and its focus ring would be cut off.
              onFocus={({ currentTarget }) =>
                currentTarget.scrollIntoView({ block: "nearest", inline: "nearest" })
              }
            >
              {text}
              <LinkPending />
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface CategoryListProps {
  /** `count`: undefined if there are too many to count. */
  choices: { text: string; href: string; current: boolean; count: number | undefined }[];
}

export function CategoryList({ choices }: CategoryListProps) {
  return (
    <ul className="flex flex-col gap-0.5">
      {choices.map(({ text, href, current, count }) => (
        <li key={text}>
          <PageLink
            href={href}
            aria-current={current ? "true" : undefined}
            className={`flex min-h-8 items-center justify-between gap-3 rounded-field px-2.5 py-1 text-small leading-5 ${
              current
                ? "bg-accent-soft font-medium text-accent-text"
                : "text-ink-soft hover:bg-hover hover:text-ink"
            }`}
          >
            <span>
              {text}
              <LinkPending />
            </span>
            {count !== undefined && <span className="tabular-nums">{count.toLocaleString("en-US")}</span>}
          </PageLink>
        </li>
      ))}
    </ul>
  );
}
