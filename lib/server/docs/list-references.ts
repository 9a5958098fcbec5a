import { docsPath } from "@/lib/contract/docs-pages";
import { EVENT_CATALOG } from "@/lib/contract/event-catalog/event-catalog";
import type { DocsSection } from "@/lib/domain/guide/search-sections";

/** What the search finds in the references, which are made from code. */
export function listReferences(): DocsSection[] {
  return EVENT_CATALOG.map(({ type, title, description }) => ({
    path: docsPath("events", type),
    page: "Events",
    heading: type,
    text: `${title}. ${description}`,
  }));
}
