import type { DocsHit } from "@/lib/domain/guide/search-sections";

/** Where a hit is, and the text around the match. */
export function SearchHit({ hit }: { hit: DocsHit }) {
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium wrap-anywhere text-ink">{hit.heading || hit.page}</span>
        {hit.heading !== "" && <span className="text-xs text-ink-faint">{hit.page}</span>}
      </span>
      <span className="line-clamp-2 text-[13px] leading-5 wrap-anywhere text-ink-soft">
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
