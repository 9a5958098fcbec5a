import { expect, test } from "vitest";
import { sampleOffer } from "@/tests/samples/configuration";
import {
  countQuestions,
  describeKept,
  explainAsks,
  findQuestions,
  groupByTopic,
  type OfferedChange,
  routeEffect,
  selectDetails,
  withoutAsked,
} from "./upgrade-changes";

function change(kind: string, what: OfferedChange["change"], name: string): OfferedChange {
  return { kind, change: what, name, title: name, details: [] };
}

test("changes are grouped by topic; moves are only counted, and an unknown kind is not left out", () => {
  const topics = groupByTopic([
    change("webhook", "changed", "/events"),
    change("setting", "removed", "a"),
    change("setting", "added", "b"),
    change("setting", "moved", "c"),
    change("surprise", "changed", "d"),
  ]);
  expect(topics.map(({ id, changes, moved }) => [id, changes.map(({ name }) => name), moved])).toEqual([
    ["settings", ["b", "a"], 1],
    ["routes", ["/events"], 0],
    ["app", ["d"], 0],
  ]);
  expect(groupByTopic([])).toEqual([]);
});

test("an added or removed route explains what happens to its calls", () => {
  expect(routeEffect(change("webhook", "removed", "/a"), "2.0.0")).toContain(
    "no longer call it when 2.0.0 starts",
  );
  expect(routeEffect(change("rater", "added", "/a"), "2.0.0")).toContain("address");
  expect(routeEffect(change("setting", "removed", "a"), "2.0.0")).toBeUndefined();
});

test("an added entry does not repeat its title below its heading", () => {
  const added: OfferedChange = {
    ...change("setting", "added", "note"),
    title: "Note",
    details: [
      { member: "title", before: undefined, after: "Note" },
      { member: "type", before: undefined, after: "Text" },
    ],
  };
  expect(selectDetails(added).map(({ member }) => member)).toEqual(["type"]);
  expect(selectDetails({ ...added, change: "changed" })).toHaveLength(2);
});

test("kept answers are counted without those that are asked again", () => {
  expect(describeKept(sampleOffer())).toBe("1 setting, 1 secret and the mapping of 1 product");
  expect(describeKept({ settings: [], mappings: [], asks: [] })).toBe("");
});

// Guarantee: an upgrade asks for what it needs, and for nothing that it can keep.
test("only what is asked and what is offered has an input", () => {
  const offer = sampleOffer();
  const asked = findQuestions(
    offer,
    offer.asks.map(({ pointer }) => pointer),
  );
  const offered = findQuestions(offer, offer.offers);
  expect(asked.settings.map(({ name }) => name)).toEqual(["endpoint", "currency", "discount"]);
  expect(asked.mappings.map(({ fields }) => fields.map(({ name }) => name))).toEqual([["birthDate"]]);
  expect(offered.settings.map(({ name }) => name)).toEqual(["note"]);
  expect([countQuestions(asked), countQuestions(offered)]).toEqual([4, 2]);
});

test("an ask explains why the stored answer does not do, and never shows a secret", () => {
  const details = [{ member: 'value "EUR"', before: "Euro", after: undefined }];
  const changes = [{ ...change("setting", "changed", "currency"), details }];
  const messages = explainAsks(sampleOffer({ changes })).map(({ message }) => message);
  expect(messages).toEqual([
    "Enter Endpoint.",
    "Your choice “Euro” is no longer offered.",
    "A value for Discount is stored but doesn't fit the new version.",
    "Map Date of birth to a field of Auto.",
  ]);
});

test("rights that the customer is asked for are not listed a second time", () => {
  const changes = [
    change("permission", "added", "claims:read"),
    change("permission", "removed", "claims:write"),
    change("host", "added", "api.vin.example"),
    change("host", "added", "a.maps.example"),
    change("webhook", "added", "claims:read"),
  ];
  const added = {
    permissions: [{ name: "claims:read", purpose: "P" }],
    hosts: [{ host: "api.vin.example", ports: [443], purpose: "P", optional: false }],
  };
  const offer = sampleOffer({ changes, rights: { added, removed: [], isMore: true } });
  expect(withoutAsked(offer).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "permission claims:write",
    "host a.maps.example",
    "webhook claims:read",
  ]);
});
