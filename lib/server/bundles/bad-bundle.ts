import { Problem } from "@/lib/contract/problem";

export type BundleFault =
  | "ARCHIVE_BROKEN"
  | "NOT_AN_IMAGE"
  | "SEVERAL_IMAGES"
  | "INDEX_DISAGREES"
  | "WRONG_ARCHITECTURE"
  | "WRONG_DIGEST"
  | "BLOB_MISSING"
  | "UNSAFE_PATH"
  | "LAYER_BROKEN"
  | "TOO_MANY_LAYERS"
  | "TOO_MANY_ENTRIES"
  | "DECOMPRESSION_BOMB"
  | "MANIFEST_MISSING"
  | "MANIFEST_NOT_A_FILE"
  | "MANIFEST_TWICE"
  | "MANIFEST_TOO_LARGE"
  | "MANIFEST_NOT_UTF8";

const SHOWN_PATH = 200;

/** A refused image: a stable code, the path in the archive or layer ("" for the whole), what is wrong, how to mend it. */
export function badBundle(code: BundleFault, path: string, message: string, hint: string): Problem {
  const pointer = path.slice(0, SHOWN_PATH);
  return new Problem("BAD_BUNDLE", `${message} ${hint}`, [
    { code, pointer, message, hint, severity: "error" },
  ]);
}
