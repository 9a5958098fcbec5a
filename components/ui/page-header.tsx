import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import type { Pages } from "@/lib/contract/platform/pages";
import { formatCount } from "@/lib/domain/platform/text";
import { LinkPending } from "./link-pending";
import { chipStyles, LinkButton, PageLink } from "./links";
import { showMarks } from "./values";

interface PageHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  /** One level up. */
  back?: { href: string; text: string };
  /** State badges beside the title. */
  badges?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, description, back, badges, actions }: PageHeaderProps) {
  return (
    <header className="mb-6 sm:mb-8">
      {back !== undefined && (
        <PageLink
          href={back.href}
          className="mb-2 -ml-1 inline-flex items-center gap-1 rounded-sm py-1 text-small text-ink-faint hover:text-ink"
        >
          <ChevronLeft aria-hidden className="size-4" />
          {back.text}
          <LinkPending />
        </PageLink>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 text-2xl font-semibold tracking-tight wrap-anywhere text-ink">
              {showMarks(title)}
            </h1>
            {badges}
          </div>
          {description !== undefined && (
            <p className="mt-1 max-w-2xl wrap-anywhere text-ink-soft">{showMarks(description)}</p>
          )}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
    </header>
  );
}

interface FilterTabsProps {
  /** Names the group for screen readers. */
  label: string;
  options: {
    href: string;
    text: string;
    /** How many rows it leaves, if they are counted. */
    count?: number;
    /** Rows are counted up to here. */
    most?: number;
    current: boolean;
  }[];
}

/** A filter in the URL. */
export function FilterTabs({ label, options }: FilterTabsProps) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1 py-1">
      {options.map((option) => (
        <PageLink
          key={option.href}
          href={option.href}
          aria-current={option.current ? "true" : undefined}
          className={chipStyles(option.current)}
        >
          {option.count === undefined
            ? option.text
            : `${option.text} (${formatCount(option.count, option.most)})`}
          <LinkPending />
        </PageLink>
      ))}
    </nav>
  );
}

interface SortTabsProps<Sort extends string> {
  path: string;
  /** The rest of the list's query. */
  query: Record<string, string>;
  /** The first is the default, which the URL doesn't name. */
  sorts: readonly { sort: Sort; text: string }[];
  current: Sort;
}

/** The order of a list, in the URL. */
export function SortTabs<Sort extends string>({ path, query, sorts, current }: SortTabsProps<Sort>) {
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <span aria-hidden className="shrink-0 text-small text-ink-faint">
        Sort by
      </span>
      <FilterTabs
        label="Sort by"
        options={sorts.map(({ sort, text }, place) => ({
          href: toHref(path, place === 0 ? query : { ...query, sort }),
          text,
          current: sort === current,
        }))}
      />
    </div>
  );
}

function toHref(path: string, query: Record<string, string>): string {
  const all = new URLSearchParams(query);
  return all.size === 0 ? path : `${path}?${all}`;
}

interface PagerProps {
  /** The list's path and query without its cursor. */
  path: string;
  /** The cursor's parameter, for a page with two lists. */
  parameter?: string;
  query: Record<string, string>;
  pages: Pages;
  /** How many rows all pages have, such as “245 tenants”. */
  total?: string;
}

/** Paging by cursor in the URL. Nothing for a list of one page. */
export function Pager({ path, parameter = "after", query, pages, total }: PagerProps) {
  const { isFirst, previous, next } = pages;
  if (next === undefined && isFirst) return null;
  const href = (after: string) => toHref(path, after === "" ? query : { ...query, [parameter]: after });
  return (
    <nav aria-label="Pages" className="mt-6 flex flex-wrap items-center justify-end gap-2">
      {total !== undefined && <p className="mr-auto text-small text-ink-soft max-sm:w-full">{total}</p>}
      {!isFirst && previous !== "" && (
        <LinkButton size="small" href={href("")}>
          First page
        </LinkButton>
      )}
      {previous !== undefined && (
        <LinkButton size="small" href={href(previous)}>
          Previous page
        </LinkButton>
      )}
      {next !== undefined && (
        <LinkButton size="small" href={href(next)}>
          Next page
        </LinkButton>
      )}
    </nav>
  );
}
