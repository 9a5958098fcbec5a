import { SearchX } from "lucide-react";
import Link from "next/link";
import { EmptyState } from "@/components/ui/empty-state";
import { SearchForm } from "@/components/ui/list-controls";
import { TextLink } from "@/components/ui/text-link";
import { docsPath } from "@/lib/contract/docs-pages";
import type { DocsHit } from "@/lib/domain/guide/search-sections";
import { SearchHit } from "./search-hits";

const SUGGESTIONS = ["state key", "verify a webhook", "Password", "crash loop", "publish"] as const;

/** The results of `query`, which was searched on the server. */
export function SearchPage({ query, hits }: { query: string; hits: readonly DocsHit[] }) {
  return (
    <div className="max-w-[44rem] min-w-0">
      <h1 className="text-3xl font-semibold tracking-tight text-ink">Search the documentation</h1>
      <div className="mt-5">
        <SearchForm path="/docs/search" label="Search the documentation" value={query} />
      </div>
      {hits.length > 0 && (
        <>
          <p role="status" className="mt-6 text-[13px] text-ink-faint">
            {hits.length} {hits.length === 1 ? "result" : "results"} for “{query}”
          </p>
          <ul className="mt-2 flex flex-col gap-1">
            {hits.map((hit) => (
              <li key={hit.path}>
                <Link
                  href={hit.path}
                  prefetch={false}
                  className="-mx-3 flex flex-col rounded-field px-3 py-2.5 hover:bg-hover"
                >
                  <SearchHit hit={hit} />
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
      {hits.length === 0 && query !== "" && (
        <EmptyState icon={SearchX} title={`No results for “${query}”`}>
          Check the spelling, use fewer words, or look through the{" "}
          <TextLink href={docsPath("errors")} prefetch={false}>
            list of errors
          </TextLink>
          .
        </EmptyState>
      )}
      {hits.length === 0 && <Suggestions />}
    </div>
  );
}

function Suggestions() {
  return (
    <nav aria-label="Suggested searches" className="mt-6 flex flex-wrap items-center gap-2 text-[13px]">
      <span className="text-ink-faint">Try</span>
      {SUGGESTIONS.map((text) => (
        <Link
          key={text}
          href={`/docs/search?${new URLSearchParams({ q: text })}`}
          prefetch={false}
          className="rounded-full border border-line px-3 py-1 text-ink-soft hover:bg-hover hover:text-ink"
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
