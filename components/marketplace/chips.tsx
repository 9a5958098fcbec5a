"use client";

import Link from "next/link";
import { chipStyles } from "@/components/ui/chip-styles";
import { LinkPending } from "@/components/ui/link-pending";

interface ChipsProps {
  label: string;
  chips: { text: string; href: string; current: boolean }[];
}

/**
 * Not prefetched: each is a search. A client component, so that a page carries the names and addresses of its many links, and
 * not also a tree of each.
 */
export function Chips({ label, chips }: ChipsProps) {
  return (
    <nav aria-label={label} className="flex items-center gap-x-4">
      <p aria-hidden className="w-24 shrink-0 text-[13px] text-ink-faint max-sm:hidden">
        {label}
      </p>
      <ul className="flex flex-wrap gap-1.5 py-1">
        {chips.map(({ text, href, current }) => (
          <li key={text} className="shrink-0">
            <Link
              href={href}
              prefetch={false}
              aria-current={current ? "true" : undefined}
              className={chipStyles(current)}
            >
              {text}
              <LinkPending />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
