import type { LucideIcon } from "lucide-react";
import { useUrl, withParameters } from "./location";
import { PageLink } from "./page-link";

export interface Area {
  id: string;
  text: string;
  icon: LucideIcon;
}

/** The areas of the page. The open one is in the URL. */
export function AreaTabs({ areas, current }: { areas: readonly Area[]; current: string }) {
  const { href } = useUrl();
  return (
    <nav
      aria-label="Areas"
      className="sticky top-0 z-30 -mx-4 mb-6 flex overflow-x-auto border-b border-line bg-ground px-2 pt-1 sm:mx-0 sm:gap-2 sm:px-0"
    >
      {areas.map(({ id, text, icon: Icon }) => (
        <PageLink
          key={id}
          href={withParameters({ area: id }, href)}
          aria-current={id === current ? "page" : undefined}
          className={`-mb-px inline-flex h-11 shrink-0 items-center gap-2 rounded-t-field border-b-2 px-2 text-[13px] transition-colors focus-visible:-outline-offset-2 sm:px-3 sm:text-sm ${
            id === current
              ? "border-accent-text font-medium text-ink"
              : "border-transparent text-ink-soft hover:border-line-strong hover:text-ink"
          }`}
        >
          <Icon aria-hidden className="size-4 max-sm:hidden" />
          {text}
        </PageLink>
      ))}
    </nav>
  );
}
