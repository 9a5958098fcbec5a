import { SearchX } from "lucide-react";
import { EmptyState } from "@/components/ui/card";
import { PageLink, TextLink } from "@/components/ui/links";
import { SearchForm } from "@/components/ui/search-form";
import { docsPath } from "@/lib/contract/platform/docs-pages";
import type { DocsHit } from "@/lib/domain/surface/search-sections";

const SUGGESTIONS = ["state key", "verify a webhook", "Password", "crash loop", "publish"] as const;

interface SearchPageProps {
  query: string;
  hits: readonly DocsHit[];
  /** There are more, which match less. */
  isCut?: boolean;
}

/** The results of `query`, which was searched on the server. */
export function SearchPage({ query, hits, isCut = false }: SearchPageProps) {
  return (
    <div className="max-w-[44rem] min-w-0">
      <h1 className="text-3xl font-semibold tracking-tight wrap-anywhere hyphens-auto text-ink">
        Search the documentation
      </h1>
      <div className="mt-5">
        <SearchForm path="/docs/search" label="Search the documentation" value={query} />
      </div>
      {hits.length > 0 && (
        <>
          <p role="status" className="mt-6 text-small text-ink-faint">
            {isCut
              ? `The ${hits.length} best results`
              : hits.length === 1
                ? "1 result"
                : `${hits.length} results`}{" "}
            for “{query}”{isCut && ". Add a word to find others."}
          </p>
          <ul className="mt-2 flex flex-col gap-1">
            {hits.map((hit) => (
              <li key={hit.path}>
                <PageLink
                  href={hit.path}
                  className="-mx-3 flex flex-col rounded-field px-3 py-2.5 hover:bg-hover"
                >
                  <SearchHit hit={hit} />
                </PageLink>
              </li>
            ))}
          </ul>
        </>
      )}
      {hits.length === 0 && query !== "" && (
        <EmptyState icon={SearchX} title={`No results for “${query}”`}>
          Check the spelling, use fewer words, or look through the{" "}
          <TextLink href={docsPath("errors")}>list of errors</TextLink>.
        </EmptyState>
      )}
      {hits.length === 0 && <Suggestions />}
    </div>
  );
}

function Suggestions() {
  return (
    <nav aria-label="Suggested searches" className="mt-6 flex flex-wrap items-center gap-2 text-small">
      <span className="text-ink-faint">Try</span>
      {SUGGESTIONS.map((text) => (
        <PageLink
          key={text}
          href={`/docs/search?${new URLSearchParams({ q: text })}`}
          className="rounded-full border border-line px-3 py-1 text-ink-soft hover:bg-hover hover:text-ink"
        >
          {text}
        </PageLink>
      ))}
    </nav>
  );
}

/** Where a hit is, and the text around the match. */
export function SearchHit({ hit }: { hit: DocsHit }) {
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium wrap-anywhere text-ink">{hit.heading || hit.page}</span>
        {hit.heading !== "" && <span className="text-xs text-ink-faint">{hit.page}</span>}
      </span>
      <span className="line-clamp-2 text-small leading-5 wrap-anywhere text-ink-soft">
        {hit.excerpt.map(({ text, isMatch }, index) =>
          isMatch ? (
            <mark key={index} className="rounded-sm bg-accent-soft px-0.5 font-medium text-accent-text">
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </span>
    </>
  );
}
