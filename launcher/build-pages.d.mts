export type RunBuild = (root: string, distDir: string, signal?: AbortSignal) => Promise<void>;

export interface PagesBuild {
  root: string;
  /** Ends the build. */
  signal?: AbortSignal;
  /** For tests. */
  build?: RunBuild;
  sources?: readonly string[];
}

/**
 * @param isServer serves pages in production
 * @param root for tests
 */
export function findPagesFolder(isServer: boolean, root?: string): string;

export function buildPages(options: PagesBuild): Promise<void>;

export function runGroup(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; signal?: AbortSignal },
): Promise<{ code: number | null; output: string }>;
