import { expect, test } from "vitest";
import type { ListingText } from "@/lib/contract/listing";
import { TEXT_FIELDS } from "@/lib/contract/review";
import { checkListing } from "./listing-checklist";
import { compareTexts, listPictures, mergeTexts } from "./listing-text";

const base: ListingText = {
  title: "VIN lookup",
  tagline: "",
  category: "other",
  about: { product: "Looks up a VIN.", company: "", offering: "" },
  requirements: { technicalDetails: "", launchInstructions: "", complianceDetails: "" },
  links: { support: "", privacy: "", website: "" },
  icon: null,
  screenshots: [],
};
const about = (product: string, company = "") => ({ product, company, offering: "" });
const picture = "a".repeat(64);

test("a comparison lists every part that differs, in the order of the page", () => {
  const all: ListingText = {
    ...{ title: "1", tagline: "2", category: "data", about: { product: "3", company: "4", offering: "5" } },
    requirements: { technicalDetails: "6", launchInstructions: "7", complianceDetails: "8" },
    links: { support: "9", privacy: "10", website: "11" },
    ...{ icon: picture, screenshots: [{ image: picture, caption: "12" }] },
  };
  expect(compareTexts(base, all).map(({ name }) => name)).toEqual(TEXT_FIELDS);
  expect(compareTexts(base, { ...base, tagline: "New" })).toEqual([
    { name: "tagline", label: "Tagline", before: "", after: "New" },
  ]);
});

// Guarantee: when two people edit, no part that only one of them changed is lost.
test("a merge has the changes of both, and mine where both changed the same part", () => {
  const mine = { ...base, tagline: "Mine", about: about("Mine") };
  const theirs = { ...base, title: "Theirs", about: about("Theirs", "Theirs"), icon: picture };
  expect(mergeTexts(base, mine, theirs)).toEqual({
    text: { ...base, title: "Theirs", tagline: "Mine", about: about("Mine", "Theirs"), icon: picture },
    conflicts: 1,
  });
  expect(mergeTexts(base, mine, mine).conflicts).toBe(0);
  expect(mergeTexts(base, base, theirs)).toEqual({ text: theirs, conflicts: 0 });
});

test("each picture of a text is listed once", () => {
  const other = "b".repeat(64);
  const screenshots = [other, picture, other].map((image) => ({ image, caption: "" }));
  expect(listPictures({ ...base, icon: picture, screenshots })).toEqual([picture, other]);
  expect(listPictures(base)).toEqual([]);
});

test("the checklist of an empty listing has only its title and product done, and that of a full one everything", () => {
  const open = checkListing({ text: base, hasVersion: false, warnings: 0 });
  expect(open.filter(({ isDone }) => isDone).map(({ title }) => title)).toEqual([
    "A title",
    "A description of the product",
  ]);
  const full: ListingText = {
    ...base,
    ...{ tagline: "Make and model", category: "data", icon: picture, about: about("x".repeat(80)) },
    requirements: { technicalDetails: "", launchInstructions: "Map the VIN.", complianceDetails: "None." },
    links: { support: "https://a.example", privacy: "https://a.example", website: "" },
    screenshots: [{ image: picture, caption: "The form" }],
  };
  expect(checkListing({ text: full, hasVersion: true, warnings: 0 }).filter(({ isDone }) => !isDone)).toEqual(
    [],
  );
  expect(checkListing({ text: full, hasVersion: true, warnings: 2 }).at(-1)).toMatchObject({
    isDone: false,
    title: expect.stringContaining("2 now"),
  });
});

test("a submission needs a title, a product and a version", () => {
  const blank = { ...base, title: " ", about: about("\n") };
  const missing = checkListing({ text: blank, hasVersion: false, warnings: 0 }).filter(
    ({ isDone, isRequired }) => isRequired && !isDone,
  );
  expect(missing.map(({ title }) => title)).toEqual([
    "A title",
    "A description of the product",
    "A published version",
  ]);
});
