import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { catalogSchema, EVENT_CATALOG } from "@/lib/contract/calls/event-catalog";
import { listMembers } from "@/lib/domain/calls/events";
import { checkAppearance, renderPage } from "@/tests/browser/render";
import { EventCatalog } from "./event-catalog";

test("the catalog shows members, samples and schemas of every event", async () => {
  const events = EVENT_CATALOG.map((event) => ({
    ...event,
    sample: JSON.stringify(event.sample, null, 2),
    schemaPath: `/schemas/events/${event.type}.json`,
    members: listMembers(catalogSchema(event, ""), "/data"),
  }));
  await renderPage(<EventCatalog events={events} />);
  for (const { type } of events)
    await expect.element(page.getByRole("table", { name: `Members of ${type}` })).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "JSON Schema of claim.opened" }))
    .toHaveAttribute("href", "/schemas/events/claim.opened.json");
  await checkAppearance("event catalog");
});
