import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { partsOf } from "@/lib/contract/platform/docs-pages";
import { parseGuide } from "./guide";
import { findPageHelp, PAGE_HELP } from "./page-help";

/** The reference is generated, so its headings are not in the file. */
const readIds = async (slug: string) => {
  const text = await readFile(new URL(`../../../docs/guide/${slug}.md`, import.meta.url), "utf8");
  return parseGuide(text).blocks.flatMap((block) => (block.kind === "heading" ? [block.id] : []));
};

// Guarantee: the help of every page leads to a page of the documentation, at a heading that exists.
test.each(Object.entries(PAGE_HELP))("the help of %s exists", async (path, { slug, anchor }) => {
  const ids = await readIds(slug);
  if (anchor !== undefined) expect(ids).toContain(anchor);
  const opened = path.replaceAll(/\[\w+\]/g, "0b7e");
  const isPart = partsOf(slug).some((part) => part.slug === anchor);
  expect(findPageHelp(opened)?.href).toBe(
    anchor === undefined ? `/docs/${slug}` : `/docs/${slug}${isPart ? "/" : "#"}${anchor}`,
  );
});

test("a page without parameters wins over one with, and open pages have no help", () => {
  expect(findPageHelp("/publish/new")?.href).toBe("/docs/publishing");
  expect(findPageHelp("/marketplace")).toBeUndefined();
  expect(findPageHelp("/publish/app/unknown")).toBeUndefined();
});
