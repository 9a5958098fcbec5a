import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { catalogueSchema, EVENT_CATALOGUE } from "@/lib/contract/event-catalogue/event-catalogue";
import { listMembers } from "@/lib/domain/list-schema-members";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { EventCatalogue } from "./event-catalogue";

test("the catalogue shows members, samples and schemas of every event", async () => {
  const events = EVENT_CATALOGUE.map((event) => ({
    ...event,
    sample: JSON.stringify(event.sample, null, 2),
    schemaPath: `/schemas/events/${event.type}.json`,
    members: listMembers(catalogueSchema(event, ""), "/data"),
  }));
  await renderPage(<EventCatalogue events={events} />);
  for (const { type } of events)
    await expect.element(page.getByRole("table", { name: `Members of ${type}` })).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "JSON Schema of claim.opened" }))
    .toHaveAttribute("href", "/schemas/events/claim.opened.json");
  await checkAppearance("event catalogue");
});
