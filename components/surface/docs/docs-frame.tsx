import { ArrowLeft, ArrowRight, ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { PageLink, TextLink } from "@/components/ui/links";
import {
  DOCS_PAGES,
  DOCS_SECTIONS,
  docsPath,
  type DocsSlug,
  partsOf,
} from "@/lib/contract/platform/docs-pages";
import { type GuideHeading, plainText } from "@/lib/domain/surface/guide";
import { OpenFrame } from "../open-frame";
import { DocsSearch } from "./docs-controls";

interface DocsFrameProps {
  signedIn: boolean;
  /** Undefined on the home page and the search. */
  current?: DocsSlug;
  /** Of a page that is split. */
  part?: string;
  children: ReactNode;
}

/** A sidebar on wide screens; on narrow ones a menu that opens without JavaScript. */
export function DocsFrame({ signedIn, current, part, children }: DocsFrameProps) {
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
              <DocsNavigation label="All pages" current={current} part={part} />
            </div>
          </details>
          <div className="max-lg:hidden">
            <DocsNavigation label="Documentation" current={current} part={part} />
          </div>
        </div>
      }
    >
      {children}
    </OpenFrame>
  );
}

const ENTRY =
  "flex min-h-8 items-center rounded-field px-3 text-small text-ink-soft transition-colors duration-100 hover:bg-hover hover:text-ink aria-[current]:bg-hover aria-[current]:font-medium aria-[current]:text-ink";

/** All pages by section, and the parts of the page that is open. */
function DocsNavigation({
  label,
  current,
  part,
}: Pick<DocsFrameProps, "current" | "part"> & { label: string }) {
  return (
    <nav aria-label={label} className="flex flex-col gap-5">
      {DOCS_SECTIONS.map((section) => (
        <div key={section.title}>
          <p className="mb-1 px-3 text-xs font-medium text-ink-faint">{section.title}</p>
          <ul className="flex flex-col gap-0.5">
            {section.pages.map(({ slug, title }) => (
              <li key={slug}>
                <PageLink
                  href={docsPath(slug)}
                  aria-current={slug === current && part === undefined ? "page" : undefined}
                  className={ENTRY}
                >
                  {title}
                </PageLink>
                {slug === current && partsOf(slug).length > 0 && (
                  <ul className="ml-3 flex flex-col border-l border-line pl-1">
                    {partsOf(slug).map((each) => (
                      <li key={each.slug}>
                        <PageLink
                          href={docsPath(slug, each.slug)}
                          aria-current={each.slug === part ? "page" : undefined}
                          className={ENTRY}
                        >
                          {each.title}
                        </PageLink>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

interface DocsArticleProps {
  slug: DocsSlug;
  part?: string;
  title: string;
  summary: string;
  headings: readonly Pick<GuideHeading, "id" | "text" | "level">[];
  children: ReactNode;
}

/** One page: its text, what is on it, and its neighbors. */
export function DocsArticle({ slug, part, title, summary, headings, children }: DocsArticleProps) {
  const page = DOCS_PAGES.find((each) => each.slug === slug);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 xl:grid-cols-[minmax(0,1fr)_11rem] print:block">
      <article className="min-w-0">
        <p className="text-small font-medium text-accent-text">
          {part === undefined ? page?.section : <TextLink href={docsPath(slug)}>{page?.title}</TextLink>}
        </p>
        <h1 className="mt-1 text-3xl font-semibold tracking-tight wrap-anywhere hyphens-auto text-ink">
          {title}
        </h1>
        <p className="mt-3 max-w-[44rem] text-base leading-7 text-ink-soft">{summary}</p>
        {headings.length > 1 && (
          <details className="mt-6 rounded-card border border-line px-4 py-3 xl:hidden print:hidden">
            <summary className="cursor-pointer text-small font-medium text-ink">On this page</summary>
            <TableOfContents headings={headings} label="On this page, above the text" />
          </details>
        )}
        <div className="mt-8 flex min-w-0 flex-col gap-5 text-lead leading-7 text-ink-soft">{children}</div>
        <Neighbors path={docsPath(slug, part)} />
      </article>
      <aside className="max-xl:hidden print:hidden">
        {headings.length > 1 && (
          <div className="sticky top-6 -mx-2 max-h-[calc(100dvh-3rem)] scroll-py-4 overflow-y-auto px-2 py-1">
            <p className="text-xs font-medium text-ink-faint">On this page</p>
            <TableOfContents headings={headings} label="On this page" />
          </div>
        )}
      </aside>
    </div>
  );
}

function TableOfContents({ headings, label }: Pick<DocsArticleProps, "headings"> & { label: string }) {
  return (
    <nav aria-label={label}>
      <ul className="mt-2 flex flex-col gap-1.5 text-small leading-5">
        {headings.map(({ id, text, level }) => (
          <li key={id} className={level === 2 ? "" : "pl-3"}>
            <a
              href={`#${id}`}
              className="block rounded-sm wrap-anywhere text-ink-faint hover:text-ink hover:underline"
            >
              {plainText(text)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** In reading order. */
const PATHS = DOCS_PAGES.flatMap(({ slug, title }) => [
  { path: docsPath(slug), title },
  ...partsOf(slug).map((part) => ({ path: docsPath(slug, part.slug), title: `${title}: ${part.title}` })),
]);

function Neighbors({ path }: { path: string }) {
  const at = PATHS.findIndex((page) => page.path === path);
  const [previous, next] = [at > 0 ? PATHS[at - 1] : undefined, PATHS[at + 1]];
  const style =
    "flex flex-col gap-0.5 rounded-card border border-line bg-surface px-4 py-3 hover:bg-hover min-w-0";
  return (
    <nav aria-label="Next pages" className="mt-12 grid gap-3 sm:grid-cols-2 print:hidden">
      {previous !== undefined && (
        <PageLink href={previous.path} className={style}>
          <span className="flex items-center gap-1 text-xs text-ink-faint">
            <ArrowLeft aria-hidden className="size-3" />
            Previous
          </span>
          <span className="font-medium text-ink">{previous.title}</span>
        </PageLink>
      )}
      {next !== undefined && (
        <PageLink href={next.path} className={`${style} sm:col-start-2 sm:items-end`}>
          <span className="flex items-center gap-1 text-xs text-ink-faint">
            Next
            <ArrowRight aria-hidden className="size-3" />
          </span>
          <span className="font-medium text-ink">{next.title}</span>
        </PageLink>
      )}
    </nav>
  );
}
