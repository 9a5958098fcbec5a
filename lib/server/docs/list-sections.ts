import { DOCS_PAGES, docsPath } from "@/lib/contract/docs-pages";
import { Problem } from "@/lib/contract/problem";
import { plainText } from "@/lib/domain/guide/parse-guide";
import { indexSections, type DocsIndex, type DocsSection } from "@/lib/domain/guide/search-sections";
import type { Platform } from "../platform/platform";
import { readGuide, type GuidePage } from "./read-guide";
import { listReferences } from "./list-references";

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
        path: docsPath(slug, block.id),
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
