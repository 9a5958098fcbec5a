import { ChevronLeft, Search } from "lucide-react";
import type { ReactNode } from "react";
import { LinkPending } from "./link-pending";
import { chipStyles, LinkButton, PageLink } from "./links";

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
            <h1 className="min-w-0 text-2xl font-semibold tracking-tight wrap-anywhere text-ink">{title}</h1>
            {badges}
          </div>
          {description !== undefined && (
            <p className="mt-1 max-w-2xl wrap-anywhere text-ink-soft">{description}</p>
          )}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
    </header>
  );
}

interface SearchFormProps {
  path: string;
  label: string;
  value: string;
  /** Other filters in the URL that a search keeps. */
  keep?: Record<string, string>;
}

/** A GET form, so the search is in the URL and works before any script has loaded. */
export function SearchForm({ path, label, value, keep = {} }: SearchFormProps) {
  return (
    <form action={path} method="get" role="search" className="relative w-full max-w-sm">
      {Object.entries(keep).map(([name, kept]) => (
        <input key={name} type="hidden" name={name} value={kept} />
      ))}
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-faint" />
      <input
        key={value}
        type="search"
        name="q"
        defaultValue={value}
        aria-label={label}
        placeholder={label}
        maxLength={100}
        className="h-9 w-full rounded-field border border-line-strong bg-surface pr-3 pl-9 text-sm text-ink shadow-low placeholder:text-ink-faint focus:border-accent-text focus:outline-2 focus:-outline-offset-1 focus:outline-accent-text"
      />
    </form>
  );
}

interface FilterTabsProps {
  /** Names the group for screen readers. */
  label: string;
  options: { href: string; text: string; current: boolean }[];
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
          {option.text}
          <LinkPending />
        </PageLink>
      ))}
    </nav>
  );
}

interface PagerProps {
  /** The list's path and query without its cursor. */
  path: string;
  /** The cursor's parameter, for a page with two lists. */
  parameter?: string;
  query: Record<string, string>;
  /** The cursor of the next page; undefined on the last page. */
  next: string | undefined;
  /** Not on the first page. */
  started: boolean;
}

/** Paging by cursor in the URL. The browser's Back button leads to the previous page. */
export function Pager({ path, parameter = "after", query, next, started }: PagerProps) {
  if (next === undefined && !started) return null;
  const href = (after?: string) =>
    `${path}?${new URLSearchParams({ ...query, ...(after === undefined ? {} : { [parameter]: after }) })}`;
  return (
    <nav aria-label="Pages" className="mt-6 flex justify-end gap-2">
      {started && (
        <LinkButton size="small" href={href()}>
          First page
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
