import { PageLink, TextLink } from "@/components/ui/links";
import { docsPath, entryPath, type SplitSlug } from "@/lib/contract/platform/docs-pages";
import { GuideHeadingLine } from "./guide-blocks";

interface IndexEntry {
  id: string;
  text: string;
  method?: string;
  path?: string;
}

interface PartIndexProps {
  slug: SplitSlug;
  groups: readonly {
    id: string;
    title: string;
    description?: string;
    parts: readonly { slug: string; title: string; entries: readonly IndexEntry[] }[];
  }[];
}

/** Styled from the list, because there are hundreds of entries. */
const ENTRIES =
  "flex [&_a]:rounded-sm [&_a]:text-accent-text [&_a]:hover:underline [&_code]:font-mono [&_code]:text-xs [&_code]:wrap-anywhere [&_code]:text-ink-faint [&>li]:flex [&>li]:min-h-7 [&>li]:scroll-mt-6 [&>li]:flex-wrap [&>li]:items-baseline [&>li]:gap-x-3 [&>li]:rounded-sm [&>li]:py-1 [&>li:target]:bg-accent-soft";
/** Before the title of a part. */
const WHOLE: Record<SplitSlug, string> = {
  api: "All operations",
  cli: "All commands",
  errors: "All errors",
  json: "All commands",
};
const CODES = "flex-row flex-wrap gap-x-4 font-mono text-small wrap-anywhere";

/**
 * What is on the parts of a page. Each entry has the id that it has on its part, so that links to the page as a whole still lead to it:
 * at once with JavaScript (`docs-controls.tsx`), and with one more click without.
 */
export function PartIndex({ slug, groups }: PartIndexProps) {
  return groups.map(({ id, title, description, parts }) => (
    <section key={id} aria-labelledby={id} className="flex min-w-0 flex-col gap-4">
      <GuideHeadingLine level={2} id={id} text={title} />
      {description !== undefined && <p>{description}</p>}
      {parts.map((part) => (
        <div key={part.slug} className="min-w-0">
          {parts.length > 1 && <h3 className="mb-1 text-base font-semibold text-ink">{part.title}</h3>}
          <ul
            translate={slug === "api" ? undefined : "no"}
            className={`${ENTRIES} ${slug === "api" ? "flex-col" : CODES}`}
          >
            {part.entries.map(({ id: entry, text, method, path }) => (
              <li key={entry} id={entry}>
                <PageLink data-entry href={entryPath(slug, part.slug, entry)}>
                  {text}
                </PageLink>
                {path !== undefined && (
                  <code translate="no">
                    {method} {path}
                  </code>
                )}
              </li>
            ))}
          </ul>
          <p className="mt-2 text-small">
            <TextLink href={docsPath(slug, part.slug)}>
              {WHOLE[slug]}: {part.title}
            </TextLink>
          </p>
        </div>
      ))}
    </section>
  ));
}
