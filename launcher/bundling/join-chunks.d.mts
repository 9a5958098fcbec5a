import type { BuildResult } from "esbuild";

export function joinChunks(
  bundle: BuildResult<{ write: false; metafile: true }>,
  entryPoint: string,
): Promise<Buffer>;
