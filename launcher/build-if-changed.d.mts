export interface Build {
  root: string;
  /** Files and folders, relative to `root`. */
  sources: readonly string[];
  outputs?: readonly string[];
  /** The file that remembers what the last build was made from. */
  stamp: string;
}

/** SHA-256 of the paths and contents of files, and of everything in folders. */
export function hashFiles(root: string, names: readonly string[]): string;

export function buildIfChanged(what: Build, build: () => Promise<unknown>): Promise<void>;
