import Link from "next/link";
import { DOCS_SECTIONS, docsPath, type DocsSlug } from "@/lib/contract/docs-pages";

/** All pages by section. */
export function DocsNavigation({ label, current }: { label: string; current?: DocsSlug }) {
  return (
    <nav aria-label={label} className="flex flex-col gap-5">
      {DOCS_SECTIONS.map((section) => (
        <div key={section.title}>
          <p className="mb-1 px-3 text-xs font-medium text-ink-faint">{section.title}</p>
          <ul className="flex flex-col gap-0.5">
            {section.pages.map(({ slug, title }) => (
              <li key={slug}>
                <Link
                  href={docsPath(slug)}
                  prefetch={false}
                  aria-current={slug === current ? "page" : undefined}
                  className="flex min-h-8 items-center rounded-field px-3 text-[13px] text-ink-soft transition-colors duration-100 hover:bg-hover hover:text-ink aria-[current]:bg-hover aria-[current]:font-medium aria-[current]:text-ink"
                >
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
