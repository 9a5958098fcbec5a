import type { DocsSlug } from "./docs-pages";
import type { ErrorCode } from "./error-codes";

/** Its own file, so that pages can link errors without loading the lists. */
const PAGE: DocsSlug = "errors";

/** The entry of a code in the documentation, below the platform's web URL. */
export function errorPath(code: ErrorCode): string {
  return `/docs/${PAGE}#${code}`;
}
