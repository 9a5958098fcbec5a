import type { Metadata } from "next";
import { EventCatalog } from "@/components/event-catalog/event-catalog";
import { OpenFrame } from "@/components/shell/open-frame";
import { EVENT_CATALOG, catalogSchema } from "@/lib/contract/event-catalog/event-catalog";
import { listMembers } from "@/lib/domain/list-schema-members";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Event catalog" };

export default page("/docs/events", ({ actor }) => (
  <OpenFrame signedIn={actor !== undefined}>
    <EventCatalog
      events={EVENT_CATALOG.map((event) => ({
        type: event.type,
        title: event.title,
        description: event.description,
        sample: JSON.stringify(event.sample, null, 2),
        schemaPath: `/schemas/events/${event.type}.json`,
        members: listMembers(catalogSchema(event, ""), "/data"),
      }))}
    />
  </OpenFrame>
));
