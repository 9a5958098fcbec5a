import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { EVENT_CATALOG } from "@/lib/contract/calls/event-catalog";
import { manifestSchema } from "@/lib/contract/catalog/manifest";
import {
  DOCS_PAGES,
  docsPath,
  type DocsSlug,
  entryPath,
  isDocsSlug,
} from "@/lib/contract/platform/docs-pages";
import { Problem } from "@/lib/contract/platform/problem";
import { findWrittenEntry } from "@/lib/domain/surface/docs-entries";
import {
  type Guide,
  type GuideBlock,
  parseGuide,
  plainText,
  readRegion,
  withoutRegionMarks,
} from "@/lib/domain/surface/guide";
import { listManifestKeys, MANIFEST_EXAMPLE } from "@/lib/domain/surface/manifest-reference";
import { type DocsIndex, type DocsSection, indexSections } from "@/lib/domain/surface/search-sections";
import type { Platform } from "../platform/platform";
import { listOperations } from "./api/list-operations";

/** Next would otherwise copy the whole repository into its output; `next.config.js` names the folders. */
const ROOT = path.join(/* turbopackIgnore: true */ process.cwd());
const FOLDER = path.join(ROOT, "docs", "guide");
/** The files that pages show: what `platform-app init` creates, and what no template needs. */
const CODE_FOLDERS = [path.join(ROOT, "cli", "templates"), path.join(FOLDER, "snippets")];

/** What the texts write for the platform's own URLs. Readers see, and copy, the real ones. */
const EXAMPLE_URL = "https://platform.example";

export interface GuidePage extends Guide {
  slug: DocsSlug;
}

const parsed = new Map<string, { changedAt: number; page: GuidePage }>();

/** Throws NOT_FOUND for pages that don't exist. Parsed again only after the file has changed. */
export async function readGuide(platform: Platform, slug: string): Promise<GuidePage> {
  if (!isDocsSlug(slug)) throw new Problem("NOT_FOUND");
  const file = path.join(FOLDER, `${slug}.md`);
  const changedAt = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
  if (changedAt === undefined) throw new Problem("NOT_FOUND");
  const webUrl = new URL(platform.environment.PLATFORM_WEB_URL).origin;
  const known = parsed.get(`${webUrl} ${slug}`);
  if (known?.changedAt === changedAt) return known.page;
  const text = (await readFile(file, "utf8")).replaceAll(EXAMPLE_URL, webUrl);
  const guide = parseGuide(linkEntries(text));
  const page = { ...guide, slug, blocks: await Promise.all(guide.blocks.map(insertFile)) };
  parsed.set(`${webUrl} ${slug}`, { changedAt, page });
  return page;
}

/** Texts link entries as `/docs/errors#<code>`; readers get to the part with the entry at once. */
function linkEntries(markdown: string): string {
  return markdown.replaceAll(/\]\(\/docs\/(\w+)#([\w-]+)\)/g, (link, slug: string, id: string) => {
    const entry = findWrittenEntry(slug, id);
    return entry === undefined ? link : `](${entry})`;
  });
}

/**
 * A fence with `file=` shows that file of the repository, or a region of it. One that is missing leaves its block empty, instead of taking
 * the page away; the check of the documentation finds it.
 */
async function insertFile(block: GuideBlock): Promise<GuideBlock> {
  if (block.kind !== "fence" || block.fence.attributes.file === undefined) return block;
  const { file, region } = block.fence.attributes;
  const source = path.join(ROOT, file);
  if (!CODE_FOLDERS.some((folder) => source.startsWith(folder + path.sep)))
    throw new Error(`${file} is not code that pages may show`);
  const text = await readFile(source, "utf8").catch(() => "");
  const shown = region === undefined ? withoutRegionMarks(text) : readRegion(text, region);
  return { ...block, code: (shown ?? "").trimEnd() };
}

/** Everything that the search of the documentation finds: the texts, and the references made from code. */
export async function listSections(platform: Platform): Promise<DocsSection[]> {
  const pages = await Promise.all(DOCS_PAGES.map(({ slug }) => readIfWritten(platform, slug)));
  return [
    ...pages.flatMap((page) => (page === undefined ? [] : splitPage(page))),
    ...listReferences(platform),
  ];
}

let indexed: { sections: string; index: DocsIndex } | undefined;

/** Made again only if a text has changed. */
export async function indexDocs(platform: Platform): Promise<DocsIndex> {
  const sections = await listSections(platform);
  const text = JSON.stringify(sections);
  if (indexed?.sections !== text) indexed = { sections: text, index: indexSections(sections) };
  return indexed.index;
}

async function readIfWritten(platform: Platform, slug: string): Promise<GuidePage | undefined> {
  return readGuide(platform, slug).catch((error: unknown) => {
    if (error instanceof Problem && error.code === "NOT_FOUND") return undefined;
    throw error;
  });
}

function splitPage({ slug, title, summary, blocks }: GuidePage): DocsSection[] {
  const sections = [{ path: docsPath(slug), page: title, heading: "", texts: [summary] }];
  for (const block of blocks) {
    if (block.kind === "heading")
      sections.push({
        path: findWrittenEntry(slug, block.id) ?? docsPath(slug, block.id),
        page: title,
        heading: plainText(block.text),
        texts: [],
      });
    else sections.at(-1)?.texts.push(block.kind === "fence" ? block.code : toPlainText(block.markdown));
  }
  return sections.map(({ texts, ...section }) => ({
    ...section,
    text: texts.join(" ").replace(/\s+/g, " ").trim(),
  }));
}

function toPlainText(markdown: string): string {
  return plainText(markdown.replace(/^\s*\|?[\s|:-]+\|\s*$/gm, "").replace(/\s*\|\s*/g, " "));
}

/** What the search finds in the references, which are made from code. */
function listReferences(platform: Platform): DocsSection[] {
  const events = EVENT_CATALOG.map(({ type, title, description }) => ({
    path: docsPath("events", type),
    page: "Events",
    heading: type,
    text: `${title}. ${description}`,
  }));
  const keys = listManifestKeys(manifestSchema(""), MANIFEST_EXAMPLE).map(({ path, description, codes }) => ({
    path: docsPath("manifest", path.replaceAll("[]", "")),
    page: "Manifest",
    heading: path,
    text: `${description} Issues: ${codes.join(", ")}.`,
  }));
  const operations = listOperations(platform).flatMap((tag) =>
    tag.operations.map(({ id, part, method, path, summary, description }) => ({
      path: entryPath("api", part, id),
      page: "API reference",
      heading: summary,
      text: `${method} ${path}. ${description}`,
    })),
  );
  return [...events, ...keys, ...operations];
}
