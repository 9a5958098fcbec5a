/** Brings what a publisher has sent to where the checks read it. */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import path from "node:path";
import { Agent } from "undici";
import type { PublishFromInput } from "@/lib/contract/catalog/manifest-draft";
import { Problem } from "@/lib/contract/platform/problem";
import {
  explainFault,
  type ImageReference,
  parseReference,
  toRegistryOrigin,
} from "@/lib/domain/images/image-reference";
import { badBundle, BUNDLE_LIMITS } from "../../images/archive/bad-bundle";
import { type Descriptor, findImage, type FoundImage } from "../../images/archive/find-image";
import {
  INDEX_TYPES,
  listBlobs,
  MANIFEST_TYPES,
  type NamedBlob,
  type NamedImage,
  type SentBlob,
  type SentImage,
} from "../../images/archive/image";
import { selectOwnBlobs, touchBlobUploads } from "../../images/blob-queries";
import { openStore, toHex } from "../../images/blob-store";
import { receiveUpload, untilAborted } from "../../images/receive-upload";
import { registryClient, type RegistryClient } from "../../images/registry-client";
import { openStaging } from "../../images/staged-blobs";
import type { Environment } from "../../platform/environment";
import type { Platform } from "../../platform/platform";
import { checkedConnector, CoreAddressError } from "../../platform/requests/core-agent";
import { SYSTEM_CLOCK } from "../../platform/requests/share";
import type { Upload } from "./uploads";

export type PublishedImage =
  /** A tar, gzipped or not: the output of `docker save`, or an OCI layout. */
  | { archive: NodeJS.ReadableStream }
  /** An OCI manifest. The organization has sent its blobs before. */
  | { manifest: string }
  /** An image in a registry of the publisher. */
  | { from: PublishFromInput };

export interface ReceivedImage {
  bytes: number;
  /** Which platform the checks must still choose. */
  wanted?: string | undefined;
  /** Undefined for an archive. */
  sent?: SentImage;
}

/**
 * Throws `BAD_BUNDLE`, `BAD_INPUT`, `REGISTRY_FAILED`, `TOO_LARGE`, `TOO_SLOW`, `STORAGE_FULL`.
 * @param wanted the platform, if there are several images
 */
export async function receiveImage(
  platform: Platform,
  upload: Upload,
  image: PublishedImage,
  wanted?: string,
): Promise<ReceivedImage> {
  if ("archive" in image)
    return { bytes: await receiveUpload(image.archive, upload.folder, upload.signal), wanted };
  const opened: OpenedImage =
    "from" in image
      ? await openRemoteImage(platform.environment, image.from, wanted, upload.signal)
      : listBlobs(image.manifest);
  try {
    const { found, missing } = await findBlobs(platform, upload, opened.named);
    if (missing.length > 0) {
      if (opened.pull === undefined) throw lacking(missing);
      for (const blob of missing) found.push(await opened.pull(blob, upload.folder));
    }
    const sent = { manifest: opened.manifest, blobs: found };
    // Of a registry's index, it is chosen already: the image itself need not say for which variant it is.
    return { bytes: opened.bytes, sent, wanted: "from" in image ? undefined : wanted };
  } finally {
    await opened.close?.();
  }
}

interface OpenedImage extends NamedImage {
  /** Writes a blob into a file in the folder, and verifies it. Undefined if the organization sends all blobs itself. */
  pull?: (blob: NamedBlob, folder: string) => Promise<SentBlob>;
  close?: () => Promise<void>;
}

/** Only the organization's own blobs, whatever others have stored. */
async function findBlobs(
  platform: Platform,
  { organizationId, folder }: Upload,
  named: readonly NamedBlob[],
): Promise<{ found: SentBlob[]; missing: NamedBlob[] }> {
  const { db, environment } = platform;
  const store = openStore(environment);
  const staging = openStaging(platform);
  const digests = named.map(({ digest }) => digest);
  const own = new Map((await selectOwnBlobs(db, organizationId, digests)).map((blob) => [blob.digest, blob]));
  const uploads = await touchBlobUploads(db, organizationId, digests);
  const sending = new Map(uploads.map((upload) => [upload.digest, upload]));
  const found: SentBlob[] = [];
  const missing: NamedBlob[] = [];
  for (const { digest, bytes } of named) {
    const stored = own.get(digest);
    const upload = sending.get(digest);
    if (stored !== undefined && (await store.has(stored))) {
      found.push({ digest, bytes: stored.bytes, file: await store.place(stored, folder), isStored: true });
      continue;
    }
    const isComplete = upload !== undefined && (await staging.measure(upload)) === bytes;
    const file = isComplete ? await staging.place(upload, folder) : undefined;
    if (file === undefined) missing.push({ digest, bytes });
    else found.push({ digest, bytes, file, isStored: false });
  }
  return { found, missing };
}

function lacking(missing: readonly NamedBlob[]): Problem {
  const digests = missing.map(({ digest }) => digest);
  const what = digests.length === 1 ? "1 blob" : `${digests.length} blobs`;
  const problem = badBundle(
    "BLOB_MISSING",
    digests[0] ?? "",
    `Your organization has not sent ${what} of this image completely, starting with ${digests[0] ?? ""}.`,
    "Send what is missing, then publish again.",
  );
  const hint = "Upload it to /publish/v1/uploads, then publish again.";
  const issues = digests.map((pointer) => ({
    code: "BLOB_MISSING" as const,
    pointer,
    hint,
    severity: "error" as const,
    message: `${pointer} is missing or incomplete.`,
  }));
  return new Problem(problem.code, problem.detail, issues);
}

// An image in a registry that a publisher has named: like a core's, its address must be one that the platform may use.

const ACCEPT = [...MANIFEST_TYPES, ...INDEX_TYPES].join(", ");
const PATIENCE_MS = 30_000;

/**
 * The image for linux/amd64; its manifest is verified by its digest. The caller must close it. Throws `BAD_INPUT` for a reference
 * that doesn't say which image, `REGISTRY_FAILED`, `BAD_BUNDLE`, `TOO_LARGE`.
 */
async function openRemoteImage(
  { PLATFORM_PRIVATE_REGISTRIES: allowsPrivate }: Environment,
  { from, username = "", password = "" }: PublishFromInput,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<OpenedImage> {
  const reference = requireReference(from);
  const { host, repository } = reference;
  const dispatcher = new Agent({
    connect: checkedConnector(() => allowsPrivate),
    headersTimeout: PATIENCE_MS,
    bodyTimeout: PATIENCE_MS,
    maxHeaderSize: 16 * 1024,
  });
  const credentials = username === "" ? "" : `${username}:${password}`;
  const hasCredentials = credentials !== "";
  const fail = (reason: string, isUnauthorized = false) =>
    isUnauthorized ? notAllowed(reference, hasCredentials) : registryFailed(host, reason);
  const client = registryClient(
    { origin: toRegistryOrigin(host), repository, credentials },
    { dispatcher, scopes: "pull", fail },
  );
  const source: Source = { client, reference, signal, hasCredentials };
  try {
    const image = await findRemoteImage(source, wanted);
    return {
      ...listBlobs(image.document.toString("utf8")),
      pull: (blob, folder) => pullBlob(source, blob, folder),
      close: () => dispatcher.destroy(),
    };
  } catch (error) {
    await dispatcher.destroy();
    throw error;
  }
}

interface Source {
  client: RegistryClient;
  reference: ImageReference;
  signal: AbortSignal;
  hasCredentials: boolean;
}

/** What the reference names may be an index. */
async function findRemoteImage(source: Source, wanted: string | undefined): Promise<FoundImage> {
  const { reference } = source;
  const readManifest = ({ digest }: Descriptor) =>
    readDocument(source, { target: `manifests/${digest}`, digest, headers: { accept: ACCEPT } });
  const missing = (_at: unknown, platform: string | undefined) => noSuchImage(reference, platform);
  const { image } = await findImage(
    [{ digest: reference.digest, size: 0 }],
    {
      readManifest,
      readConfig: async (at) => {
        const { digest, size } = at;
        const config = await readDocument(source, { target: `blobs/${digest}`, digest, size });
        if (config === undefined) throw noSuchImage(reference);
        return config;
      },
      name: (digest) => digest,
      missing,
    },
    { wanted, path: reference.digest },
  );
  return image;
}

interface WantedDocument {
  target: string;
  digest: string;
  /** If it is known. */
  size?: number;
  headers?: Record<string, string>;
}

/** Undefined if the registry doesn't have it. */
async function readDocument(
  source: Source,
  { target, digest, size = Infinity, headers }: WantedDocument,
): Promise<Buffer | undefined> {
  const content = await fetchContent(source, target, headers);
  if (content === undefined) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > size) throw wrongContent(source.reference.host, digest);
    if (bytes > BUNDLE_LIMITS.documentBytes)
      throw badBundle("NOT_AN_IMAGE", "", "A document of the image is larger than 1 MiB.");
    chunks.push(chunk);
  }
  const document = Buffer.concat(chunks);
  if (`sha256:${createHash("sha256").update(document).digest("hex")}` === digest) return document;
  throw wrongContent(source.reference.host, digest);
}

async function pullBlob(source: Source, { digest, bytes }: NamedBlob, folder: string): Promise<SentBlob> {
  const content = await fetchContent(source, `blobs/${digest}`);
  if (content === undefined) throw noSuchImage(source.reference);
  const file = path.join(folder, `pulled-${toHex(digest)}`);
  const hash = createHash("sha256");
  let arrived = 0;
  const handle = await open(file, "wx", 0o600);
  try {
    for await (const chunk of content) {
      arrived += chunk.length;
      if (arrived > bytes) break;
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
  } finally {
    await handle.close();
  }
  if (arrived !== bytes || `sha256:${hash.digest("hex")}` !== digest)
    throw wrongContent(source.reference.host, digest);
  return { digest, bytes, file, isStored: false, isVerified: true };
}

/** What the registry answers, until it sends too slowly or the publisher is gone. Undefined for 404. */
async function fetchContent(
  { client, reference, signal, hasCredentials }: Source,
  target: string,
  headers: Record<string, string> = {},
): Promise<AsyncIterable<Buffer> | undefined> {
  const { host } = reference;
  const toProblem = (error: unknown) => {
    if (error instanceof Problem || signal.aborted) return error;
    if (error instanceof CoreAddressError)
      return new Problem("BAD_INPUT", `The platform may not connect to ${host}: ${error.message}.`);
    const reason = error instanceof Error && "code" in error ? String(error.code) : "an unexpected answer";
    return registryFailed(host, `the connection failed (${reason})`);
  };
  const { statusCode, body } = await client
    .send(target, { method: "GET", headers, signal })
    .catch((error: unknown) => {
      throw toProblem(error);
    });
  if (statusCode === 200) return mapErrors(untilAborted(body, signal, SYSTEM_CLOCK), toProblem);
  await body.dump();
  if (statusCode === 401 || statusCode === 403) throw notAllowed(reference, hasCredentials);
  if (statusCode === 404) return undefined;
  throw registryFailed(host, `it answered with status ${statusCode}`);
}

async function* mapErrors(
  content: AsyncIterable<Buffer>,
  map: (error: unknown) => unknown,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of content) yield chunk;
  } catch (error) {
    throw map(error);
  }
}

function requireReference(from: string): ImageReference {
  const parsed = parseReference(from);
  if (typeof parsed !== "string") return parsed;
  throw new Problem("BAD_INPUT", explainFault(parsed));
}

/** @param listed the platform for which the index lists it */
function noSuchImage({ host, repository }: ImageReference, listed?: string): Problem {
  if (listed !== undefined) {
    const what = `The index lists an image for ${listed.slice(0, 40)}, which ${host} doesn't have in ${repository}.`;
    return new Problem("REGISTRY_FAILED", `${what} Push that image too, then publish again.`);
  }
  const fix =
    "Check the name and the digest, and that the image was pushed completely. Some registries also answer this way without credentials.";
  return new Problem("REGISTRY_FAILED", `${host} has no such image in ${repository}. ${fix}`);
}

function notAllowed({ host, repository }: ImageReference, hasCredentials: boolean): Problem {
  const fix = hasCredentials
    ? "Check the user name and the password, and that they may pull this image."
    : "Send a user name and a password that may pull it.";
  return new Problem("REGISTRY_FAILED", `${host} doesn't let the platform read ${repository}. ${fix}`);
}

function registryFailed(host: string, reason: string): Problem {
  const detail = `The image could not be read from ${host}: ${reason}. Check the reference and the registry, then publish again.`;
  return new Problem("REGISTRY_FAILED", detail);
}

function wrongContent(host: string, digest: string): Problem {
  const message = `${host} sent something other than ${digest}.`;
  return badBundle("WRONG_DIGEST", digest, message, "Push the image again.");
}
