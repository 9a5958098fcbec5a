import type { ReactNode } from "react";
import { ChevronDown } from "lucide-react";
import { OpenFrame } from "@/components/shell/open-frame";
import type { DocsSlug } from "@/lib/contract/docs-pages";
import { DocsNavigation } from "./docs-navigation";
import { DocsSearch } from "./search/docs-search";

interface DocsFrameProps {
  signedIn: boolean;
  /** Undefined on the home page and the search. */
  current?: DocsSlug;
  children: ReactNode;
}

/** A sidebar on wide screens; on narrow ones a menu that opens without JavaScript. */
export function DocsFrame({ signedIn, current, children }: DocsFrameProps) {
  return (
    <OpenFrame
      signedIn={signedIn}
      beside={
        <div className="flex flex-col gap-6 print:hidden">
          <DocsSearch />
          <details className="group rounded-card border border-line bg-surface lg:hidden">
            <summary className="flex h-11 cursor-pointer list-none items-center justify-between rounded-card px-4 font-medium text-ink [&::-webkit-details-marker]:hidden">
              All pages
              <ChevronDown
                aria-hidden
                className="size-4 text-ink-faint transition-transform group-open:rotate-180"
              />
            </summary>
            <div className="border-t border-line p-3">
              <DocsNavigation label="All pages" current={current} />
            </div>
          </details>
          <div className="max-lg:hidden">
            <DocsNavigation label="Documentation" current={current} />
          </div>
        </div>
      }
    >
      {children}
    </OpenFrame>
  );
}
