export interface Build {
  root: string;
  /** Files and folders, relative to `root`. */
  sources: readonly string[];
  outputs?: readonly string[];
  /** The file that remembers what the last build was made from. */
  stamp: string;
}

export function buildIfChanged(what: Build, build: () => Promise<unknown>): Promise<void>;
