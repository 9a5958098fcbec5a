import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { DOCS_PAGES } from "@/lib/contract/platform/docs-pages";
import { searchSections } from "@/lib/domain/surface/search-sections";
import { testPlatform } from "@/tests/test-platform";
import { indexDocs, readGuide } from "./docs";

const platform = await testPlatform();

const written = DOCS_PAGES.filter(({ slug }) => existsSync(`docs/guide/${slug}.md`));

test.each(written)("the page $slug has a title, a summary and a text", async ({ slug }) => {
  const { title, summary, blocks } = await readGuide(platform, slug);
  expect(title).not.toBe("");
  expect(summary).not.toBe("");
  expect(blocks).not.toEqual([]);
});

test("a page that doesn't exist is not found", async () => {
  await expect(readGuide(platform, "pricing")).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(readGuide(platform, "../map")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("the search finds texts, keys of the manifest, events and operations of the API", async () => {
  const index = await indexDocs(platform);
  const first = (query: string) => searchSections(index, query, 5).map(({ path }) => path);
  expect(first("state key").some((path) => path.startsWith("/docs/"))).toBe(true);
  expect(first("core.configurationCheck")).toContain("/docs/manifest#core.configurationCheck");
  expect(first("policy.issued")).toContain("/docs/events#policy.issued");
  expect(first("send an event")[0]).toBe("/docs/api#sendAnEvent");
});
