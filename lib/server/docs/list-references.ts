import { docsPath } from "@/lib/contract/docs-pages";
import { EVENT_CATALOG } from "@/lib/contract/event-catalog/event-catalog";
import { manifestSchema } from "@/lib/contract/manifest-schema";
import type { DocsSection } from "@/lib/domain/guide/search-sections";
import { listManifestKeys } from "@/lib/domain/manifest/reference/list-manifest-keys";
import { MANIFEST_EXAMPLE } from "@/lib/domain/manifest/reference/manifest-example";
import { listOperations } from "../openapi/list-operations";
import type { Platform } from "../platform/platform";

/** What the search finds in the references, which are made from code. */
export function listReferences(platform: Platform): DocsSection[] {
  const events = EVENT_CATALOG.map(({ type, title, description }) => ({
    path: docsPath("events", type),
    page: "Events",
    heading: type,
    text: `${title}. ${description}`,
  }));
  const keys = listManifestKeys(manifestSchema(""), MANIFEST_EXAMPLE).map(({ path, description, codes }) => ({
    path: docsPath("manifest", path.replaceAll("[]", "")),
    page: "Manifest",
    heading: path,
    text: `${description} Issues: ${codes.join(", ")}.`,
  }));
  const operations = listOperations(platform).flatMap((tag) =>
    tag.operations.map(({ id, method, path, summary, description }) => ({
      path: docsPath("api", id),
      page: "API reference",
      heading: summary,
      text: `${method} ${path}. ${description}`,
    })),
  );
  return [...events, ...keys, ...operations];
}
