import { Problem } from "@/lib/contract/problem";
import type { Platform } from "../platform/platform";
import { selectImageBytes } from "./queries";

/** Nothing runs, loads or frames even if a browser took the picture for a page. Other sites may show it, as crawlers do. */
const HEADERS = {
  "content-type": "image/webp",
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "cross-origin",
};

/** `file`: `<digest>.webp`. Drafts' pictures are served too: nobody can guess the digest of one they haven't seen. */
export async function serveImage({ db }: Platform, file: string): Promise<Response> {
  const digest = /^([0-9a-f]{64})\.webp$/.exec(file)?.[1];
  const bytes = digest && (await selectImageBytes(db, digest));
  if (!bytes) throw new Problem("NOT_FOUND");
  return new Response(new Uint8Array(bytes), { headers: { ...HEADERS, etag: `"${digest}"` } });
}
