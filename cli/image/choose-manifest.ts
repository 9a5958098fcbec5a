/** Decides which manifest is published, before the upload: the image's, or the working folder's as a layer on top. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import tar from "tar-stream";
import * as z from "zod";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { parseJson, Problem } from "@/lib/contract/platform/problem";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { compareManifests, describeChange } from "@/lib/domain/catalog/manifest/compare-manifests";
import { decodeManifest } from "@/lib/server/images/archive/read-bundle";
import type { RootManifest } from "@/lib/server/images/archive/root-manifest";
import type { Terminal } from "../terminal/environment";
import { Failure, visible } from "../terminal/failure";
import { type ImageContent, only } from "./image-content";

interface ChosenManifest {
  manifest: Manifest;
  /** Whether to add the working folder's file to the image. */
  isAdded: boolean;
  /** Whether it says the same as the working folder's file. */
  isSame: boolean;
}

const COPY_LINE = `COPY ${MANIFEST_FILE} /`;
const MOST_SHOWN = 10;

export async function chooseManifest(
  found: RootManifest,
  local: Manifest,
  mayAdd: boolean,
  terminal: Terminal,
): Promise<ChosenManifest> {
  const read = readText(found);
  if ("problem" in read) return addOrExplain(read.problem, local, mayAdd, terminal);
  const differences = describeDifferences(read.text, local);
  if (mayAdd && differences !== undefined) {
    terminal.note(`Replacing the ${MANIFEST_FILE} in the image with your file.`);
    return { manifest: local, isAdded: true, isSame: true };
  }
  const manifest = requireValid(read.text);
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

/** The problem is the one that a file which is added in its place solves. */
function readText(found: RootManifest): { text: string } | { problem: string } {
  try {
    return { text: decodeManifest(found.bytes()) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { problem: error.issues[0]?.message ?? error.message };
  }
}

async function addOrExplain(
  problem: string,
  local: Manifest,
  mayAdd: boolean,
  terminal: Terminal,
): Promise<ChosenManifest> {
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
function describeDifferences(text: string, local: Manifest): string[] | undefined {
  const { manifest } = checkManifest(text);
  if (manifest === undefined) return ["The manifest in the image has errors."];
  const changes = compareManifests(manifest, local).map(describeChange);
  if (changes.length === 0) return undefined;
  const more = changes.length - MOST_SHOWN;
  return more > 0 ? [...changes.slice(0, MOST_SHOWN), `and ${more} more changes`] : changes;
}

function requireValid(text: string): Manifest {
  const { manifest, issues } = checkManifest(text);
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

const FIXED = { mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 } as const;

const configShape = z.looseObject({
  history: z.array(z.unknown()).optional(),
  rootfs: z.looseObject({ diff_ids: z.array(z.string()) }),
});

/** Puts a manifest at the root of an image as one more layer. The same image and text always give the same image. */
export async function addManifest({ config, layers }: ImageContent, text: string): Promise<ImageContent> {
  const content = await createLayer(text);
  const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
  const layer = { digest, bytes: content.length, compression: "plain" as const, open: () => only(content) };
  return { config: withLayer(config, digest), layers: [...layers, layer] };
}

async function createLayer(text: string): Promise<Buffer> {
  const pack = tar.pack();
  pack.entry({ ...FIXED, name: MANIFEST_FILE }, text);
  pack.finalize();
  return buffer(Readable.from(pack));
}

function withLayer(config: Buffer, diffId: string): Buffer {
  const parsed = configShape.safeParse(parseJson(config.toString())).data;
  if (parsed === undefined)
    throw new Failure(
      "INVALID_IMAGE",
      "The image's configuration has no list of layers. Save the image again.",
    );
  const { rootfs, history } = parsed;
  const entry = { created: FIXED.mtime.toISOString(), created_by: "platform-app publish --add-manifest" };
  const next = { ...parsed, rootfs: { ...rootfs, diff_ids: [...rootfs.diff_ids, diffId] } };
  return Buffer.from(
    JSON.stringify(history === undefined ? next : { ...next, history: [...history, entry] }),
  );
}
