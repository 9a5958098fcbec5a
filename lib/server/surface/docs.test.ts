import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { DOCS_PAGES, DOCS_PARTS, entryPath } from "@/lib/contract/platform/docs-pages";
import { ERROR_GROUPS } from "@/lib/contract/surface/error-codes";
import { searchSections } from "@/lib/domain/surface/search-sections";
import { testPlatform } from "@/tests/test-platform";
import { BUNDLE_LIMITS } from "../images/archive/bad-bundle";
import { listOperations } from "./api/list-operations";
import { indexDocs, readGuide } from "./docs";
import { findEntry, listGroups, readPart } from "./docs-parts";

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

const listCommands = async (slug: "cli" | "json") => {
  const { blocks } = await readGuide(platform, slug);
  return blocks.flatMap((block) => (block.kind === "heading" && block.level === 3 ? [block.id] : []));
};

// Guarantee: every link to an error, a command or an operation, old or new, finds it.
test("each entry of a page that is split is on one of its parts", async () => {
  const codes = ERROR_GROUPS.flatMap((group) => group.codes);
  const operations = listOperations(platform).flatMap((tag) => tag.operations.map(({ id }) => id));
  for (const [slug, ids] of [
    ["errors", codes],
    ["api", operations],
    ["cli", await listCommands("cli")],
    ["json", await listCommands("json")],
  ] as const) {
    const groups = listGroups(platform, { slug, blocks: (await readGuide(platform, slug)).blocks });
    const parts = groups.flatMap((group) => group.parts);
    expect(parts.map((part) => part.slug).toSorted()).toEqual(
      DOCS_PARTS[slug].map((part) => part.slug).toSorted(),
    );
    expect(parts.flatMap(({ entries }) => entries.map(({ id }) => id)).toSorted()).toEqual(ids.toSorted());
    for (const part of parts) {
      const { blocks, operations: own } = await readPart(platform, slug, part.slug);
      const anchors = [
        ...blocks.flatMap((block) => (block.kind === "heading" ? [block.id] : [])),
        ...own.map(({ id }) => id),
      ];
      expect(anchors).toEqual(part.entries.map(({ id }) => id));
      for (const id of anchors) expect(findEntry(platform, slug, id)).toBe(entryPath(slug, part.slug, id));
    }
  }
});

test("parts and entries that don't exist are not found", async () => {
  for (const [slug, part] of [
    ["errors", "pricing"],
    ["events", "manifest"],
    ["api", "errors"],
    ["../map", "x"],
  ] as const) {
    expect(findEntry(platform, slug, part)).toBeUndefined();
    await expect(readPart(platform, slug, part)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});

test("texts lead to the entry of a code at once", async () => {
  expect(JSON.stringify((await readGuide(platform, "limits")).blocks)).toContain(
    "(/docs/errors/manifest#TOO_LARGE)",
  );
});

test("the search finds texts, keys of the manifest, events and operations of the API", async () => {
  const index = await indexDocs(platform);
  const first = (query: string) => searchSections(index, query, 5).map(({ path }) => path);
  expect(first("state key").some((path) => path.startsWith("/docs/"))).toBe(true);
  expect(first("core.configurationCheck")).toContain("/docs/manifest#core.configurationCheck");
  expect(first("policy.issued")).toContain("/docs/events#policy.issued");
  expect(first("send an event")[0]).toBe("/docs/api/core#sendAnEvent");
});

// Guarantee: people find a page by the words that they use, not only by those of its heading.
test.each([
  ["local development", "/docs/testing"],
  ["delete my app", "/docs/operating#delete-your-app"],
  ["oauth", "/docs/security#oauth-and-single-sign-on"],
  ["single sign-on", "/docs/security#oauth-and-single-sign-on"],
  ["change password", "/docs/security#oauth-and-single-sign-on"],
  ["log in", "/docs/cli/account#login"],
  ["ci github actions", "/docs/publishing#from-ci"],
  ["cancel review", "/docs/cli/publishing#withdraw"],
  ["rollback", "/docs/operating#upgrades"],
  ["timeout", "/docs/errors/calls#APP_TIMED_OUT"],
  ["idempotency", "/docs/webhooks#duplicates-and-order"],
  ["cors", "/docs/endpoints#what-the-platform-forwards"],
  ["iframe", "/docs/endpoints#what-pages-can-do-in-a-browser"],
  ["memory limit", "/docs/limits#apps"],
  ["port", "/docs/errors/starting-an-app#PORT_NOT_BOUND"],
  ["self-signed certificate", "/docs/cli#environment-variables"],
  ["rotate secret", "/docs/webhooks#the-secrets"],
  ["app crashes on start", "/docs/operating#crash-loops"],
  ["quickstart", "/docs/start"],
  ["docker image size", "/docs/limits#image-size"],
  ["max image size", "/docs/limits#image-size"],
  ["maximum image size", "/docs/limits#image-size"],
  ["image size limit", "/docs/limits#image-size"],
  ["image limit", "/docs/limits#image-size"],
  ["image limits", "/docs/limits#image-size"],
  ["image too large", "/docs/limits#image-size"],
  ["image too big", "/docs/limits#image-size"],
  ["how big can my image be", "/docs/limits#image-size"],
  ["bundle limit", "/docs/limits#image-size"],
  ["bundle size", "/docs/limits#image-size"],
  ["container size limit", "/docs/limits#image-size"],
  ["how many layers", "/docs/errors/image#TOO_MANY_LAYERS"],
  ["max upload size", "/docs/limits#image-size"],
  ["2 gib", "/docs/limits#image-size"],
  ["json output", "/docs/json"],
])("the first three results for “%s” have %s", async (query, path) => {
  const hits = searchSections(await indexDocs(platform), query, 20);
  expect(hits.slice(0, 3).map((hit) => hit.path)).toContain(path);
});

test("the page of limits has those of images, as they are checked", async () => {
  const { blocks } = await readGuide(platform, "limits");
  const text = JSON.stringify(blocks);
  const { archiveBytes, imageBytes, layerBytes, layers, layerEntries } = BUNDLE_LIMITS;
  for (const bytes of [archiveBytes, imageBytes, layerBytes])
    expect(text).toContain(`${bytes / 2 ** 30} GiB`);
  for (const count of [layers, layerEntries]) expect(text).toContain(count.toLocaleString("en-US"));
});

test("words that a text has only in passing bring no page", async () => {
  const find = async (query: string) =>
    searchSections(await indexDocs(platform), query, 20).map(({ path }) => path);
  expect(await find("oauth")).toEqual(["/docs/security#oauth-and-single-sign-on"]);
  expect(await find("environment variables")).toEqual(["/docs/cli#environment-variables"]);
});
