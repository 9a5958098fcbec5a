import { readFile } from "node:fs/promises";
import path from "node:path";
import { Problem } from "@/lib/contract/problem";

/** What `npm run build:cli` packed from the same sources as the platform. */
export async function servePackage(): Promise<Response> {
  const file = path.join(/* turbopackIgnore: true */ process.cwd(), ".build", "platform-app.tgz");
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new Problem(
      "NOT_FOUND",
      "The command line was not built. Run `npm run build:cli` on the platform.",
    );
  });
  const headers = {
    "content-type": "application/gzip",
    "content-disposition": 'attachment; filename="platform-app.tgz"',
    "cache-control": "public, max-age=300",
    "x-content-type-options": "nosniff",
  };
  return new Response(new Uint8Array(bytes), { headers });
}
