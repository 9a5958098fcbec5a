import { expect, test } from "vitest";
import { DOCS_PAGES, docsPath, isDocsSlug } from "./docs-pages";

test("every page is listed once", () => {
  const slugs = DOCS_PAGES.map(({ slug }) => slug);
  expect(new Set(slugs).size).toBe(slugs.length);
  expect(slugs.every(isDocsSlug)).toBe(true);
  expect(isDocsSlug("pricing")).toBe(false);
});

test("links name the page and the anchor", () => {
  expect(docsPath("testing", "with-docker")).toBe("/docs/testing#with-docker");
  expect(docsPath("errors", "calls")).toBe("/docs/errors/calls");
  expect(docsPath("start")).toBe("/docs/start");
});
