import type { Metadata } from "next";
import { EventCatalogue } from "@/components/event-catalogue/event-catalogue";
import { OpenFrame } from "@/components/shell/open-frame";
import { EVENT_CATALOGUE, catalogueSchema } from "@/lib/contract/event-catalogue/event-catalogue";
import { listMembers } from "@/lib/domain/list-schema-members";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Event catalogue" };

export default page("/docs/events", ({ actor }) => (
  <OpenFrame signedIn={actor !== undefined}>
    <EventCatalogue
      events={EVENT_CATALOGUE.map((event) => ({
        type: event.type,
        title: event.title,
        description: event.description,
        sample: JSON.stringify(event.sample, null, 2),
        schemaPath: `/schemas/events/${event.type}.json`,
        members: listMembers(catalogueSchema(event, ""), "/data"),
      }))}
    />
  </OpenFrame>
));
