import type { BuildOptions } from "esbuild";
import type { Build } from "./build-if-changed.mjs";

export const CLI_BUNDLE_OPTIONS: BuildOptions & { write: false; metafile: true };
export function describeCliBuild(): Build;
