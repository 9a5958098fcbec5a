/** The functions that `bench/manifest.ts` bundles and measures. */
export { parseTree } from "jsonc-parser";
export { manifest as manifestShape } from "@/lib/contract/catalog/manifest";
export { NO_HISTORY, recordChange } from "@/lib/domain/platform/json-text/change-history";
export { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
export { editManifest } from "@/lib/domain/catalog/manifest/outline-manifest";
export { outlineManifest } from "@/lib/domain/catalog/manifest/outline-manifest";
