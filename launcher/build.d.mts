export function bundleEntryPoints(entryPoints?: Record<string, string>): Promise<void>;

/** @param signal ends the build */
export function buildPages(signal?: AbortSignal): Promise<void>;

/** @param options for tests */
export function watchEntryPoint(
  name: string,
  onChange: () => void,
  options?: { root?: string; file?: string },
): Promise<() => Promise<void>>;
