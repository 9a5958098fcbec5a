import type { ReactNode } from "react";
import { EventCatalog } from "@/components/event-catalog/event-catalog";
import type { DocsSlug } from "@/lib/contract/docs-pages";
import { EVENT_CATALOG, catalogSchema } from "@/lib/contract/event-catalog/event-catalog";
import type { GuideHeading } from "@/lib/domain/guide/parse-guide";
import { listMembers } from "@/lib/domain/list-schema-members";
import { GuideHeadingLine } from "./guide-blocks";

interface Reference {
  /** For "On this page". */
  headings: Pick<GuideHeading, "id" | "text" | "level">[];
  content: ReactNode;
}

/** What a page shows below its text: a reference that is made from code. */
export function describeReference(slug: DocsSlug): Reference | undefined {
  if (slug === "events") return describeEvents();
  return undefined;
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
