/** Stands in for next/navigation in component tests: the frame's URL, without a server behind it. */
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

// Next's router notices when a component writes the history, and so do these hooks.
for (const name of ["pushState", "replaceState"] as const) {
  const write = history[name].bind(history);
  history[name] = (data, unused, url) => {
    write(data, unused, url);
    for (const listener of listeners) listener();
  };
}

export function openUrl(path: string): void {
  history.pushState(null, "", path);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function useUrl(): URL {
  return new URL(useSyncExternalStore(subscribe, () => location.href));
}

/** The same for every component. */
export const router = {
  push: openUrl,
  replace: openUrl,
  prefetch: () => {},
  refresh: () => {},
  back: () => {},
};

export const useRouter = () => router;
export const usePathname = () => useUrl().pathname;
export const useSearchParams = () => useUrl().searchParams;
