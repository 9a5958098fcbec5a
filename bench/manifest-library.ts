/** The functions that `bench/manifest.ts` bundles and measures. */
export { parseTree } from "jsonc-parser";
export { manifest as manifestShape } from "@/lib/contract/manifest";
export { NO_HISTORY, recordChange } from "@/lib/domain/json-text/change-history";
export { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
export { editManifest } from "@/lib/domain/manifest/outline/edit-manifest";
export { outlineManifest } from "@/lib/domain/manifest/outline/outline-manifest";
