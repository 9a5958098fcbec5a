import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { MANIFEST_FILE, MANIFEST_LIMITS } from "@/lib/contract/platform/manifest-terms";
import { splitAppName } from "@/lib/contract/platform/text-shapes";
import { tooDeepAt } from "@/lib/domain/platform/json-text/json-source";
import { Failure } from "../terminal/failure";

export interface ManifestFile {
  /** Absolute. */
  file: string;
  bytes: Buffer;
  text: string;
}

/** Reads a manifest that is piped in. */
export async function readManifestInput(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    size += chunk.length;
    if (size > MANIFEST_LIMITS.bytes) throw tooLarge("The input");
    chunks.push(chunk);
  }
  return decode(Buffer.concat(chunks), "The input");
}

/** Undefined if the file does not exist. */
export async function findManifestFile(name: string): Promise<ManifestFile | undefined> {
  const file = path.resolve(name);
  try {
    const { size } = await stat(file);
    if (size > MANIFEST_LIMITS.bytes) throw tooLarge(name);
    const bytes = await readFile(file);
    return { file, bytes, text: decode(bytes, name) };
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "ENOENT") return undefined;
    throw new Failure("WRONG_USAGE", `${name} can't be read (${code}).`);
  }
}

/** @param how to name another file */
export async function readManifestFile(
  name: string,
  how = "pass the file with --manifest",
): Promise<ManifestFile> {
  const found = await findManifestFile(name);
  if (found !== undefined) return found;
  const hint = `Run this in the app's folder, or ${how}.`;
  throw new Failure("WRONG_USAGE", `${name} does not exist. ${hint}`);
}

function tooLarge(name: string): Failure {
  return new Failure("INVALID_MANIFEST", `${name} is larger than 1 MiB, the limit for manifests.`);
}

/** Keeps a byte order mark, so that the check reports it. */
function decode(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Failure("INVALID_MANIFEST", `${name} is not valid UTF-8. Save it as UTF-8 without BOM.`);
  }
}

/**
 * The app of a file: the name in the file, which may be invalid elsewhere, otherwise `--app`. Refuses a file of another
 * app, because a push would overwrite the wrong draft and a pull the wrong file.
 * @param how to name the app without a file
 */
export function getAppName(
  text: string | undefined,
  option: string | undefined,
  how = "Pass --app <organization>/<app>.",
): string {
  // The parser recurses, so the depth is checked first.
  const isReadable = text !== undefined && tooDeepAt(text, MANIFEST_LIMITS.depth) === undefined;
  const tree = isReadable ? parseTree(text) : undefined;
  const written: unknown = tree && findNodeAtLocation(tree, ["name"])?.value;
  const own = typeof written === "string" && splitAppName(written) !== undefined ? written : undefined;
  const name = option ?? own;
  if (name !== undefined && splitAppName(name) !== undefined) {
    if (own === undefined || own === name) return name;
    throw new Failure(
      "WRONG_USAGE",
      `The file is the manifest of ${own}, but --app is ${name}. Nothing was changed.`,
      { next: ['Omit --app, set "name" in the file, or pass the other app\'s file with --manifest.'] },
    );
  }
  const found =
    option !== undefined
      ? `--app ${option} is not a valid app name`
      : text === undefined
        ? `This folder has no ${MANIFEST_FILE} to read the app name from`
        : "The file doesn't contain a valid app name";
  throw new Failure("WRONG_USAGE", `${found}. ${how}`);
}
