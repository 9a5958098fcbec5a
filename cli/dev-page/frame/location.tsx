/** The page's URL: which area is open, and for which customer. A reload and a shared link keep both. */
import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

for (const name of ["pushState", "replaceState"] as const) {
  const write = history[name].bind(history);
  history[name] = (data, unused, url) => {
    write(data, unused, url);
    for (const listener of listeners) listener();
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("popstate", listener);
  };
}

export function useUrl(): URL {
  return new URL(useSyncExternalStore(subscribe, () => location.href));
}

export function openUrl(href: string): void {
  history.pushState(null, "", href);
}

/** The current URL with these parameters; undefined removes one. */
export function withParameters(changes: Record<string, string | undefined>, from = location.href): string {
  const url = new URL(from);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
}

/** A link within the page. It's a real one, so it can be opened in another tab, and unsaved changes are asked about. */
export function PageLink({ href, ...props }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    openUrl(href);
  };
  return <a {...props} href={href} onClick={follow} />;
}
