"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { PageLink } from "./links";
import { scrollRowTo } from "./scroll-row";

interface LinkTabsProps {
  /** Names them for screen readers. */
  label: string;
  tabs: readonly { href: string; text: string }[];
}

/** Parts of one object, each a page of its own below the same header. The open one is the current URL. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  const pathname = usePathname();
  const open = useRef<HTMLAnchorElement>(null);
  // On a phone, the open tab may be beyond the edge; its place is known once the fonts are loaded.
  useEffect(() => {
    const { current: link } = open;
    if (link === null) return;
    const resizes = new ResizeObserver(() => showTab(link));
    resizes.observe(link);
    return () => resizes.disconnect();
  }, [pathname]);
  return (
    <nav
      aria-label={label}
      className="relative mb-6 flex scroll-px-2 gap-1 overflow-x-auto border-b border-line px-1 pt-1 sm:gap-2"
    >
      {tabs.map(({ href, text }) => {
        const current = href === pathname;
        return (
          <PageLink
            key={href}
            ref={current ? open : undefined}
            href={href}
            aria-current={current ? "page" : undefined}
            // Browsers don't scroll to one that is partly in sight, and its focus ring would be cut off.
            onFocus={({ currentTarget }) => showTab(currentTarget)}
            className={`-mb-px inline-flex h-10 shrink-0 items-center rounded-t-field border-b-2 px-2.5 text-sm transition-colors focus-visible:-outline-offset-2 sm:px-3 ${
              current
                ? "border-accent-text font-medium text-ink"
                : "border-transparent text-ink-soft hover:border-line-strong hover:text-ink"
            }`}
          >
            {text}
          </PageLink>
        );
      })}
    </nav>
  );
}

/** With both of its neighbors, where there is room for them. */
function showTab(link: HTMLElement): void {
  if (link.parentElement !== null) scrollRowTo(link.parentElement, link);
}
