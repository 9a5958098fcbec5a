/** The pages of the documentation that are split: what is on each of their parts, and the parts themselves. */
import {
  DOCS_PARTS,
  entryPath,
  isDocsSlug,
  isSplit,
  type SplitSlug,
} from "@/lib/contract/platform/docs-pages";
import { Problem } from "@/lib/contract/platform/problem";
import { findWrittenEntry, isOnPart } from "@/lib/domain/surface/docs-entries";
import { type GuideBlock, plainText } from "@/lib/domain/surface/guide";
import type { Platform } from "../platform/platform";
import { type ApiOperation, listOperations } from "./api/list-operations";
import { type GuidePage, readGuide } from "./docs";

export interface DocsEntry {
  id: string;
  /** An error code, a command, or what an operation does. */
  text: string;
  /** Of an operation, such as `POST`, and its path. */
  method?: string;
  path?: string;
}

/** What is below one heading of a page that is split: one part, or several of one kind. */
export interface DocsGroup {
  id: string;
  title: string;
  description?: string;
  parts: { slug: string; title: string; entries: DocsEntry[] }[];
}

/** What the parts of a page contain. */
export function listGroups(
  platform: Platform,
  { slug, blocks }: { slug: SplitSlug; blocks: readonly GuideBlock[] },
): DocsGroup[] {
  if (slug === "errors")
    return DOCS_PARTS.errors.map((part) => ({
      id: part.slug,
      title: part.title,
      parts: [{ ...part, entries: listEntries(readSection(blocks, part.slug)) }],
    }));
  if (slug !== "api") {
    const parts = DOCS_PARTS[slug].map((part) => ({
      ...part,
      entries: listEntries(readCommands(blocks, slug, part.slug)),
    }));
    return [{ id: COMMANDS, title: "Commands", parts }];
  }
  return listOperations(platform).map(({ name, description, operations }) => ({
    id: name.toLowerCase(),
    title: name,
    description,
    parts: DOCS_PARTS.api.flatMap((part) => {
      const own = operations.filter((operation) => operation.part === part.slug);
      const entries = own.map(({ id, summary, method, path }) => ({ id, text: summary, method, path }));
      return own.length === 0 ? [] : [{ ...part, entries }];
    }),
  }));
}

function listEntries(section: readonly GuideBlock[]): DocsEntry[] {
  return section.flatMap((block) =>
    block.kind === "heading" && block.level === 3 ? [{ id: block.id, text: plainText(block.text) }] : [],
  );
}

/** The heading that all commands are below. */
const COMMANDS = "commands";

/** The commands of a part, each with its heading. */
function readCommands(blocks: readonly GuideBlock[], slug: string, part: string): GuideBlock[] {
  let isOn = false;
  return readSection(blocks, COMMANDS).filter((block) => {
    if (block.kind === "heading" && block.level === 3) isOn = isOnPart(slug, part, block.id);
    return isOn;
  });
}

/** The text of a page, without what is on its parts. */
export function withoutParts({ slug, blocks }: Pick<GuidePage, "slug" | "blocks">): GuideBlock[] {
  const parted: readonly string[] =
    slug === "errors"
      ? DOCS_PARTS.errors.map((part) => part.slug)
      : slug === "cli" || slug === "json"
        ? [COMMANDS]
        : [];
  let isOn = false;
  return blocks.filter((block) => {
    if (block.kind === "heading" && block.level === 2) isOn = parted.includes(block.id);
    return !isOn;
  });
}

/** What is below a heading of level 2, without it. */
function readSection(blocks: readonly GuideBlock[], id: string): GuideBlock[] {
  const start = blocks.findIndex((block) => block.kind === "heading" && block.id === id) + 1;
  if (start === 0) return [];
  const length = blocks.slice(start).findIndex((block) => block.kind === "heading" && block.level === 2);
  return blocks.slice(start, length < 0 ? undefined : start + length);
}

export interface DocsPart {
  slug: SplitSlug;
  part: string;
  /** Of the page that it is a part of. */
  page: string;
  title: string;
  summary: string;
  blocks: GuideBlock[];
  operations: ApiOperation[];
}

/** Throws NOT_FOUND for parts that don't exist. */
export async function readPart(platform: Platform, slug: string, asked: string): Promise<DocsPart> {
  if (!isDocsSlug(slug) || !isSplit(slug)) throw new Problem("NOT_FOUND");
  const part = DOCS_PARTS[slug].find((each) => each.slug === asked);
  if (part === undefined) throw new Problem("NOT_FOUND");
  const guide = await readGuide(platform, slug);
  const common = { slug, part: part.slug, page: guide.title, title: part.title };
  if (slug !== "api") {
    const { blocks } = guide;
    const own = slug === "errors" ? readSection(blocks, part.slug) : readCommands(blocks, slug, part.slug);
    return {
      ...common,
      summary: guide.summary,
      // Below the page's title.
      blocks: own.map((block) => (block.kind === "heading" ? { ...block, level: 2 } : block)),
      operations: [],
    };
  }
  const isOn = (operation: ApiOperation) => operation.part === part.slug;
  const tag = listOperations(platform).find(({ operations }) => operations.some(isOn));
  return {
    ...common,
    summary: tag?.description ?? "",
    blocks: [],
    operations: tag?.operations.filter(isOn) ?? [],
  };
}

/** Where `/docs/<slug>/<entry>` leads, such as `/docs/errors/APP_FAILED`; undefined for anything that is not an entry. */
export function findEntry(platform: Platform, slug: string, id: string): string | undefined {
  if (slug !== "api") return findWrittenEntry(slug, id);
  const operations = listOperations(platform).flatMap((tag) => tag.operations);
  const found = operations.find((operation) => operation.id === id);
  return found && entryPath("api", found.part, id);
}
