import { ArrowLeft, ArrowRight } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { DOCS_PAGES, docsPath, type DocsSlug } from "@/lib/contract/docs-pages";
import { plainText, type GuideHeading } from "@/lib/domain/guide/parse-guide";

interface DocsArticleProps {
  slug: DocsSlug;
  title: string;
  summary: string;
  headings: readonly Pick<GuideHeading, "id" | "text" | "level">[];
  children: ReactNode;
}

/** One page: its text, what is on it, and its neighbors. */
export function DocsArticle({ slug, title, summary, headings, children }: DocsArticleProps) {
  const section = DOCS_PAGES.find((page) => page.slug === slug)?.section;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 xl:grid-cols-[minmax(0,1fr)_11rem] print:block">
      <article className="min-w-0">
        <p className="text-[13px] font-medium text-accent-text">{section}</p>
        <h1 className="mt-1 text-3xl font-semibold tracking-tight text-ink">{title}</h1>
        <p className="mt-3 max-w-[44rem] text-base leading-7 text-ink-soft">{summary}</p>
        {headings.length > 1 && (
          <details className="mt-6 rounded-card border border-line px-4 py-3 xl:hidden print:hidden">
            <summary className="cursor-pointer text-[13px] font-medium text-ink">On this page</summary>
            <TableOfContents headings={headings} label="On this page, above the text" />
          </details>
        )}
        <div className="mt-8 flex min-w-0 flex-col gap-5 text-[15px] leading-7 text-ink-soft">{children}</div>
        <Neighbors slug={slug} />
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
      <ul className="mt-2 flex flex-col gap-1.5 text-[13px] leading-5">
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

function Neighbors({ slug }: { slug: DocsSlug }) {
  const at = DOCS_PAGES.findIndex((page) => page.slug === slug);
  const [previous, next] = [at > 0 ? DOCS_PAGES[at - 1] : undefined, DOCS_PAGES[at + 1]];
  const style =
    "flex flex-col gap-0.5 rounded-card border border-line bg-surface px-4 py-3 hover:bg-hover min-w-0";
  return (
    <nav aria-label="Next pages" className="mt-12 grid gap-3 sm:grid-cols-2 print:hidden">
      {previous !== undefined && (
        <Link href={docsPath(previous.slug)} prefetch={false} className={style}>
          <span className="flex items-center gap-1 text-xs text-ink-faint">
            <ArrowLeft aria-hidden className="size-3" />
            Previous
          </span>
          <span className="font-medium text-ink">{previous.title}</span>
        </Link>
      )}
      {next !== undefined && (
        <Link href={docsPath(next.slug)} prefetch={false} className={`${style} sm:col-start-2 sm:items-end`}>
          <span className="flex items-center gap-1 text-xs text-ink-faint">
            Next
            <ArrowRight aria-hidden className="size-3" />
          </span>
          <span className="font-medium text-ink">{next.title}</span>
        </Link>
      )}
    </nav>
  );
}
