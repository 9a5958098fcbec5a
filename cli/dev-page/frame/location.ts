/** The page's URL: which area is open, and for which customer. A reload and a shared link keep both. */
import { useSyncExternalStore } from "react";

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
