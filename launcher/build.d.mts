export function bundleEntryPoints(entryPoints?: Record<string, string>): Promise<void>;

export function buildPages(): Promise<void>;

/** @param options for tests */
export function watchEntryPoint(
  name: string,
  onChange: () => void,
  options?: { root?: string; file?: string },
): Promise<() => Promise<void>>;
