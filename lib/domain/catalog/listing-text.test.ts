import { expect, test } from "vitest";
import type { ListingText } from "@/lib/contract/catalog/listing";
import { TEXT_FIELDS, type TextField } from "@/lib/contract/catalog/listing-terms";
import { getTextField, listChangedFields } from "./listing-text";
import { EMPTY_PRIVACY } from "./privacy";

const TEXT: ListingText = {
  title: "VIN lookup",
  tagline: "Fast",
  category: "data",
  about: { product: "p", company: "c", offering: "o" },
  requirements: { technicalDetails: "t", launchInstructions: "l", complianceDetails: "d" },
  links: { support: "https://a.example", privacy: "https://b.example", website: "https://c.example" },
  privacy: null,
  terms: { url: "https://d.example", version: "1" },
  icon: "1".repeat(64),
  screenshots: [{ image: "2".repeat(64), caption: "Shot" }],
};

const CHANGED: Record<TextField, ListingText> = {
  title: { ...TEXT, title: "x" },
  tagline: { ...TEXT, tagline: "x" },
  category: { ...TEXT, category: "rating" },
  "about.product": { ...TEXT, about: { ...TEXT.about, product: "x" } },
  "about.offering": { ...TEXT, about: { ...TEXT.about, offering: "x" } },
  "about.company": { ...TEXT, about: { ...TEXT.about, company: "x" } },
  "requirements.technicalDetails": {
    ...TEXT,
    requirements: { ...TEXT.requirements, technicalDetails: "x" },
  },
  "requirements.launchInstructions": {
    ...TEXT,
    requirements: { ...TEXT.requirements, launchInstructions: "x" },
  },
  "requirements.complianceDetails": {
    ...TEXT,
    requirements: { ...TEXT.requirements, complianceDetails: "x" },
  },
  "links.support": { ...TEXT, links: { ...TEXT.links, support: "" } },
  "links.privacy": { ...TEXT, links: { ...TEXT.links, privacy: "" } },
  "links.website": { ...TEXT, links: { ...TEXT.links, website: "" } },
  privacy: { ...TEXT, privacy: { ...EMPTY_PRIVACY, otherData: "x" } },
  "terms.url": { ...TEXT, terms: { url: "https://x.example", version: "1" } },
  "terms.version": { ...TEXT, terms: { url: "https://d.example", version: "2" } },
  icon: { ...TEXT, icon: null },
  screenshots: { ...TEXT, screenshots: [{ image: "2".repeat(64), caption: "Other caption" }] },
};

// Guarantee: no text changes without a moderator seeing it.
test.each(TEXT_FIELDS)("a change of %s is found, and nothing else", (field) => {
  expect(listChangedFields(TEXT, CHANGED[field])).toEqual([field]);
  expect(listChangedFields(CHANGED[field], CHANGED[field])).toEqual([]);
});

test("every member of a text is one of the fields", () => {
  const members = Object.entries(TEXT).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((key) => `${name}.${key}`)
      : [name],
  );
  expect(members.sort()).toEqual([...TEXT_FIELDS].sort());
});

test("a text of an earlier release has empty fields where it has none", () => {
  const old: ListingText = { ...TEXT, about: JSON.parse("{}") };
  expect(getTextField(old, "about.product")).toBe("");
  expect(getTextField({ ...TEXT, terms: undefined }, "terms.version")).toBe("");
});
