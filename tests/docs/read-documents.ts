/** The documents that the checks of the documentation read. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type DocsSlug, isDocsSlug } from "@/lib/contract/platform/docs-pages";
import { type Guide, type GuideBlock, parseGuide } from "@/lib/domain/surface/guide";

export const GUIDE = "docs/guide";

export interface Document extends Guide {
  /** From the root of the repository. */
  file: string;
  /** Pages of the guide. */
  slug?: DocsSlug;
}

export type FenceBlock = Extract<GuideBlock, { kind: "fence" }>;

/** The guide, the documents for maintainers, and the READMEs of folders. */
export function readDocuments(): Document[] {
  const guide = readdirSync(GUIDE).filter((name) => name.endsWith(".md"));
  const docs = ["docs", "docs/decisions"].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => path.join(folder, name)),
  );
  const loose = readdirSync(".").filter((name) => name.endsWith(".md"));
  return [
    ...guide.map((name) => readDocument(path.join(GUIDE, name), name.slice(0, -".md".length))),
    ...[...docs, ...loose, ...README_FOLDERS.flatMap(readmesIn)].map((file) => readDocument(file)),
  ];
}

const README_FOLDERS = ["cli", "components", "examples", "launcher", "lib", "tests"];

function readDocument(file: string, slug?: string): Document {
  const guide = parseGuide(readFileSync(file, "utf8"));
  return slug !== undefined && isDocsSlug(slug) ? { ...guide, file, slug } : { ...guide, file };
}

function readmesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => path.basename(name) === "README.md" && !name.includes("node_modules"))
    .map((name) => path.join(folder, name));
}

export function listFences({ blocks }: Guide): FenceBlock[] {
  return blocks.filter((block) => block.kind === "fence");
}
