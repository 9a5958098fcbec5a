import type { DocsSlug } from "./docs-pages";

/** Its own file, so that pages can link errors without loading the lists. */
const PAGE: DocsSlug = "errors";

/** The entry of a code (one of error-codes.ts) in the documentation, below the platform's web URL. */
export function errorPath(code: string): string {
  return `/docs/${PAGE}#${code}`;
}
