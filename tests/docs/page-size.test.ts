import { createElement, type ComponentProps } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import DocPage from "@/app/docs/[doc]/page";
import PartPage from "@/app/docs/[doc]/[part]/page";
import { DOCS_PAGES, DOCS_PARTS, partsOf } from "@/lib/contract/platform/docs-pages";
import { listOperations } from "@/lib/server/surface/api/list-operations";
import { readGuide } from "@/lib/server/surface/docs";
import { testPlatform } from "../test-platform";

const platform = await testPlatform();

// Without the session, the router, and the search in the browser.
vi.mock("@/lib/server/surface/web/page", () => ({
  page:
    (_path: string, render: (input: unknown) => unknown) =>
    async ({ params }: { params: Promise<unknown> }) =>
      render({ actor: undefined, platform, params: await params }),
  titled: () => undefined,
  describePage: () => undefined,
}));
vi.mock("next/link", () => ({
  default: ({ prefetch: _, ...props }: ComponentProps<"a"> & { prefetch?: boolean }) =>
    createElement("a", props),
  useLinkStatus: () => ({ pending: false }),
}));
vi.mock("next/navigation", () => ({ redirect: () => undefined, useRouter: () => undefined }));

const PAGES = DOCS_PAGES.flatMap(({ slug }) => [
  { doc: slug },
  ...partsOf(slug).map((part) => ({ doc: slug, part: part.slug })),
]);

/** The rest of the document is its head. */
const MOST_ELEMENTS = 1_450;

const draw = async (params: { doc: string; part?: string }) => {
  const Page = "part" in params ? PartPage : DocPage;
  return renderToStaticMarkup(
    await Page({ params: Promise.resolve(params), searchParams: Promise.resolve({}) }),
  );
};
const listIds = (html: string) =>
  [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id.replaceAll("&#x27;", "'"));

// Guarantee: a link to any heading or entry that a page had before it was split still leads to it.
test.each(Object.keys(DOCS_PARTS))("the page %s has each anchor of its parts", async (slug) => {
  const { blocks } = await readGuide(platform, slug);
  const written = blocks.flatMap((block) => (block.kind === "heading" ? [block.id] : []));
  const tags = slug === "api" ? listOperations(platform) : [];
  const made = tags.flatMap(({ name, operations }) => [
    name.toLowerCase(),
    ...operations.map(({ id }) => id),
  ]);
  const ids = listIds(await draw({ doc: slug }));
  expect([...written, ...made].filter((id) => !ids.includes(id))).toEqual([]);
});

// Guarantee: a page of the documentation stays quick to draw, and one that grows too long is noticed.
test.each(PAGES)("the page $doc $part", async (params) => {
  const html = await draw(params);
  const elements = html.match(/<[a-z][^>]*>/gi)?.length ?? 0;
  expect(elements).toBeLessThanOrEqual(MOST_ELEMENTS);
  const ids = listIds(html);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});
