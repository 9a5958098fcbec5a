import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { isDocsSlug, type DocsSlug } from "@/lib/contract/docs-pages";
import { Problem } from "@/lib/contract/problem";
import { readRegion, withoutRegionMarks } from "@/lib/domain/guide/parse-fence";
import { parseGuide, type Guide, type GuideBlock } from "@/lib/domain/guide/parse-guide";
import type { Platform } from "../platform/platform";

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
  const guide = parseGuide(text);
  const page = { ...guide, slug, blocks: await Promise.all(guide.blocks.map(insertFile)) };
  parsed.set(`${webUrl} ${slug}`, { changedAt, page });
  return page;
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
