import { LinkButton } from "./link-button";

interface PagerProps {
  /** Path and query of this list without `after`. */
  path: string;
  query: Record<string, string>;
  /** The cursor of the next page; undefined on the last one. */
  next: string | undefined;
  /** Not on the first page. */
  started: boolean;
}

/** Paging by cursor, with the place in the URL; the browser's Back goes to the page before. */
export function Pager({ path, query, next, started }: PagerProps) {
  if (next === undefined && !started) return null;
  const href = (after?: string) =>
    `${path}?${new URLSearchParams({ ...query, ...(after === undefined ? {} : { after }) })}`;
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
