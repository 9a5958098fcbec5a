/** Every link inside the documentation leads to a page, a heading or a file that exists. */
import { existsSync } from "node:fs";
import path from "node:path";
import { EVENT_CATALOG } from "@/lib/contract/calls/event-catalog";
import { type DocsSlug, isDocsSlug, partsOf } from "@/lib/contract/platform/docs-pages";
import { PAGE_POLICY, ROUTE_POLICY } from "@/lib/domain/accounts/policy";
import type { Guide } from "@/lib/domain/surface/guide";
import { type Document, GUIDE } from "./read-documents";

export interface Link {
  /** The file and line that it is in. */
  at: string;
  target: string;
}

/** Links of the text, not of code. */
export function listLinks(documents: readonly Document[]): Link[] {
  return documents.flatMap(({ file, blocks }) =>
    blocks.flatMap((block) => {
      if (block.kind === "fence") return [];
      const text = block.kind === "heading" ? block.text : block.markdown;
      return withoutCode(text)
        .split("\n")
        .flatMap((line, index) =>
          [...line.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({
            at: `${file}:${block.line + index}`,
            target,
          })),
        );
    }),
  );
}

function withoutCode(markdown: string): string {
  return markdown.replace(/`[^`\n]+`/g, "");
}

export interface CheckedLinks {
  problems: string[];
  /** Links to other sites, which are not opened. */
  external: string[];
}

export function checkLinks(links: readonly Link[], documents: readonly Document[]): CheckedLinks {
  const byFile = new Map(documents.map((document) => [document.file, document]));
  const external: string[] = [];
  const problems = links.flatMap(({ at, target }) => {
    if (/^[a-z]+:/i.test(target)) {
      external.push(target);
      return URL.canParse(target) && target.startsWith("https://")
        ? []
        : [`${at} ${target} is not an https URL`];
    }
    const problem = findProblem(at.replace(/:\d+$/, ""), target, byFile);
    return problem === undefined ? [] : [`${at} ${target}: ${problem}`];
  });
  return { problems, external: [...new Set(external)].sort() };
}

function findProblem(
  from: string,
  target: string,
  byFile: ReadonlyMap<string, Document>,
): string | undefined {
  const [to = "", anchor] = target.split("#");
  if (OWN_PATHS.has(to) && anchor === undefined) return undefined;
  const [, page, part] = /^\/docs\/([^/]+)(?:\/([^/]+))?$/.exec(to) ?? [];
  if (to.startsWith("/docs") && page === undefined) return to === "/docs" ? undefined : "no such page";
  if (page !== undefined && !isDocsSlug(page)) return "no such page";
  if (page !== undefined && part !== undefined && partsOf(page).every(({ slug }) => slug !== part))
    return "no such part";
  if (to.startsWith("/") && page === undefined) return "link to a page of the documentation, or to a file";
  const file = page === undefined ? linkedFile(from, to) : path.join(GUIDE, `${page}.md`);
  if (!existsSync(file)) return "no such file";
  if (anchor === undefined) return undefined;
  const document = byFile.get(file);
  if (document === undefined) return "headings of this file are not checked; link to the file";
  return listAnchors(document).has(decodeURIComponent(anchor)) ? undefined : "no such heading";
}

function linkedFile(from: string, to: string): string {
  return to === "" ? from : path.join(path.dirname(from), to);
}

/** Paths of the product, besides the documentation's. */
const OWN_PATHS: ReadonlySet<string> = new Set(
  [...Object.keys(PAGE_POLICY), ...Object.keys(ROUTE_POLICY)].map((name) => name.replace(/^[A-Z]+ /, "")),
);

/** Of references that are made from code: the headings that the text does not have. */
const GENERATED: Partial<Record<DocsSlug, readonly string[]>> = {
  events: EVENT_CATALOG.map(({ type }) => type),
};

export function listAnchors({ blocks, slug }: Guide & { slug?: DocsSlug }): Set<string> {
  const written = blocks.flatMap((block) => (block.kind === "heading" ? [block.id] : []));
  return new Set([...written, ...((slug && GENERATED[slug]) ?? [])]);
}
