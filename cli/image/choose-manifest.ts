/** Decides which manifest is published, before the upload: the image's, or the working folder's as a layer on top. */
import type { Manifest } from "@/lib/contract/manifest";
import { MANIFEST_FILE } from "@/lib/contract/manifest-file";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { compareManifests } from "@/lib/domain/manifest/compare/compare-manifests";
import { describeChange } from "@/lib/domain/manifest/compare/describe-change";
import type { Terminal } from "../terminal/environment";
import { Failure, visible } from "../terminal/failure";
import type { RootEntry } from "./scan-layer";

export interface ChosenManifest {
  manifest: Manifest;
  /** Whether to add the working folder's file to the image. */
  isAdded: boolean;
  /** Whether it says the same as the working folder's file. */
  isSame: boolean;
}

const COPY_LINE = `COPY ${MANIFEST_FILE} /`;
const MOST_SHOWN = 10;

export async function chooseManifest(
  found: RootEntry | undefined,
  local: Manifest,
  mayAdd: boolean,
  terminal: Terminal,
): Promise<ChosenManifest> {
  if (found?.bytes === undefined) return addOrExplain(found, local, mayAdd, terminal);
  const differences = describeDifferences(found.bytes, local);
  if (mayAdd && differences !== undefined) {
    terminal.note(`Replacing the ${MANIFEST_FILE} in the image with your file.`);
    return { manifest: local, isAdded: true, isSame: true };
  }
  const manifest = requireValid(found.bytes);
  if (manifest.name !== local.name)
    throw new Failure(
      "INVALID_IMAGE",
      `The manifest in the image is for ${manifest.name}, but your file is for ${local.name}. Build the image from this app's folder.`,
    );
  if (differences === undefined) return { manifest, isAdded: false, isSame: true };
  const lines = [
    `The ${MANIFEST_FILE} in the image differs from your file:`,
    ...differences.map((line) => `  ${visible(line)}`),
  ];
  for (const line of lines) terminal.note(line);
  if (terminal.interactive && !(await terminal.confirm("Publish the manifest in the image?")))
    throw stopped();
  if (!terminal.interactive)
    terminal.note(
      "Publishing the manifest in the image. To publish your file instead, build the image again, or pass --add-manifest.",
    );
  return { manifest, isAdded: false, isSame: false };
}

async function addOrExplain(
  found: RootEntry | undefined,
  local: Manifest,
  mayAdd: boolean,
  terminal: Terminal,
): Promise<ChosenManifest> {
  const problem =
    found === undefined
      ? `The image has no ${MANIFEST_FILE} at its root.`
      : `${MANIFEST_FILE} at the image's root is not a regular file, or is larger than 1 MiB.`;
  const isAdded =
    mayAdd ||
    (terminal.interactive && (await terminal.confirm(`${problem} Add your file as a layer at the root?`)));
  if (isAdded) return { manifest: local, isAdded, isSame: true };
  throw new Failure("INVALID_IMAGE", `${problem} Nothing was uploaded.`, {
    next: [
      `In the Dockerfile:  ${COPY_LINE}   (then build the image again)`,
      "Or add it now:      run the same command with --add-manifest",
    ],
  });
}

/** Undefined if the image's manifest says the same, whatever its layout and number. */
function describeDifferences(bytes: Buffer, local: Manifest): string[] | undefined {
  const { manifest } = checkManifest(bytes.toString());
  if (manifest === undefined) return ["The manifest in the image has errors."];
  const changes = compareManifests(manifest, local).map(describeChange);
  if (changes.length === 0) return undefined;
  const more = changes.length - MOST_SHOWN;
  return more > 0 ? [...changes.slice(0, MOST_SHOWN), `and ${more} more changes`] : changes;
}

function requireValid(bytes: Buffer): Manifest {
  const { manifest, issues } = checkManifest(bytes.toString());
  if (manifest !== undefined) return manifest;
  throw new Failure(
    "INVALID_IMAGE",
    `The ${MANIFEST_FILE} in the image has errors. Fix your file and build the image again, or pass --add-manifest to replace it.`,
    { issues },
  );
}

function stopped(): Failure {
  return new Failure("INTERRUPTED", "Stopped. Nothing was uploaded.", {
    next: ["To publish your file, build the image again, or pass --add-manifest."],
  });
}
