import type { ReactNode } from "react";
import { EventCatalog } from "@/components/event-catalog/event-catalog";
import type { DocsSlug } from "@/lib/contract/docs-pages";
import { EVENT_CATALOG, catalogSchema } from "@/lib/contract/event-catalog/event-catalog";
import { manifestSchema } from "@/lib/contract/manifest-schema";
import type { GuideHeading } from "@/lib/domain/guide/parse-guide";
import { listMembers } from "@/lib/domain/list-schema-members";
import { FILE_CODES, listManifestKeys } from "@/lib/domain/manifest/reference/list-manifest-keys";
import { MANIFEST_EXAMPLE } from "@/lib/domain/manifest/reference/manifest-example";
import { GuideHeadingLine } from "../guide-blocks";
import { ApiReference, type ShownTag } from "./api-reference";
import { KEY_REFERENCE, ManifestReference } from "./manifest-reference";

interface Reference {
  /** For "On this page". */
  headings: Pick<GuideHeading, "id" | "text" | "level">[];
  content: ReactNode;
}

/** What a page shows below its text: a reference that is made from code. `readApi` is called only for the API. */
export function describeReference(slug: DocsSlug, readApi: () => readonly ShownTag[]): Reference | undefined {
  if (slug === "manifest")
    return {
      headings: [KEY_REFERENCE],
      content: (
        <ManifestReference
          keys={listManifestKeys(manifestSchema(""), MANIFEST_EXAMPLE)}
          fileCodes={FILE_CODES}
        />
      ),
    };
  if (slug === "events") return describeEvents();
  return slug === "api" ? describeApi(readApi()) : undefined;
}

function describeApi(tags: readonly ShownTag[]): Reference {
  return {
    headings: tags.flatMap(({ name, operations }) => [
      { id: name.toLowerCase(), text: name, level: 2 as const },
      ...operations.map(({ id, summary }) => ({ id, text: summary, level: 3 as const })),
    ]),
    content: <ApiReference tags={tags} />,
  };
}

const CATALOG = { id: "event-catalog", text: "Event catalog", level: 2 } as const;

function describeEvents(): Reference {
  const events = EVENT_CATALOG.map((event) => ({
    type: event.type,
    title: event.title,
    description: event.description,
    sample: JSON.stringify(event.sample, null, 2),
    schemaPath: `/schemas/events/${event.type}.json`,
    members: listMembers(catalogSchema(event, ""), "/data"),
  }));
  return {
    headings: [CATALOG, ...events.map(({ type }) => ({ id: type, text: type, level: 3 as const }))],
    content: (
      <>
        <GuideHeadingLine {...CATALOG} />
        <EventCatalog events={events} />
      </>
    ),
  };
}
