/** Where the pages beside a page of a list begin, as their links say it. */
export interface Pages {
  /** Nothing comes before this page. */
  isFirst: boolean;
  /** Undefined on the first page. */
  previous?: string;
  /** Undefined on the last page. */
  next?: string;
}
