import { expect, test } from "vitest";
import { catalogSchema, EVENT_CATALOG } from "@/lib/contract/event-catalog/event-catalog";
import { listMembers } from "./list-schema-members";

test("members are listed with their type, and objects before their own members", () => {
  const cancelled = EVENT_CATALOG.find(({ type }) => type === "policy.cancelled");
  const members = cancelled === undefined ? [] : listMembers(catalogSchema(cancelled, ""), "/data");
  expect(members).toMatchObject([
    { path: "data.policyLocator", type: "string", required: true },
    { path: "data.productName" },
    { path: "data.cancellationDate", type: "date", description: "Day on which coverage ends." },
    { path: "data.reason" },
    { path: "data.refund", type: "object", required: false },
    { path: "data.refund.amount", type: "string", required: true },
    { path: "data.refund.currency" },
  ]);
});

// Guarantee: the page of the catalog says what every member is.
test.each(EVENT_CATALOG)("each member of $type is described", (event) => {
  for (const { path, description } of listMembers(catalogSchema(event, ""), "/data"))
    if (!path.endsWith(".email")) expect(description, path).not.toBe("");
});

test("a schema without members has none", () => {
  expect(listMembers({}, "/data")).toEqual([]);
  expect(listMembers({ properties: { data: { properties: { a: {}, b: 1 } } } }, "/data")).toEqual([
    { path: "data.a", type: "any", required: false, description: "" },
  ]);
});
