/** Reads an image from a registry that a publisher has named: like a core's, its address must be one that the platform may use. */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import path from "node:path";
import { Agent } from "undici";
import { z } from "zod";
import type { PublishFromInput } from "@/lib/contract/catalog/manifest-draft";
import { Problem } from "@/lib/contract/platform/problem";
import { type ImageReference, parseReference, toRegistryOrigin } from "@/lib/domain/images/image-reference";
import { badBundle, BUNDLE_LIMITS } from "../../images/bad-bundle";
import { toHex } from "../../images/blob-store";
import { digestText, parseDocument, requirePlatform } from "../../images/image";
import { untilAborted } from "../../images/receive-upload";
import { registryClient, type RegistryClient } from "../../images/registry-client";
import { MANIFEST_TYPES, type NamedBlob, type SentBlob } from "../../images/sent-image";
import type { Environment } from "../../platform/environment";
import { checkedConnector, CoreAddressError } from "../../platform/requests/core-agent";
import { SYSTEM_CLOCK } from "../../platform/requests/share";

export type RemoteImage = PublishFromInput;

interface OpenedImage {
  /** The OCI manifest for linux/amd64, verified by its digest. */
  manifest: string;
  /** Writes a blob into a file in the folder, and verifies it. */
  pull(blob: NamedBlob, folder: string): Promise<SentBlob>;
  close(): Promise<void>;
}

const INDEX_TYPES = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
];
const ACCEPT = [...MANIFEST_TYPES, ...INDEX_TYPES].join(", ");
const PATIENCE_MS = 30_000;

const indexShape = z.looseObject({
  manifests: z
    .array(
      z.looseObject({
        digest: digestText,
        platform: z.looseObject({ os: z.string(), architecture: z.string() }).optional(),
      }),
    )
    .max(BUNDLE_LIMITS.references),
});

/** Throws `BAD_INPUT` for a reference that doesn't say which image, `REGISTRY_FAILED`, `BAD_BUNDLE`. The caller must close it. */
export async function openRemoteImage(
  { PLATFORM_PRIVATE_REGISTRIES: allowsPrivate }: Environment,
  { from, username = "", password = "" }: RemoteImage,
  signal: AbortSignal,
): Promise<OpenedImage> {
  const reference = requireReference(from);
  const { host, repository, digest } = reference;
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
    const document = await readDocument(source, digest);
    const chosen = chooseManifest(document);
    const manifest = chosen === undefined ? document : await readDocument(source, chosen);
    return {
      manifest: manifest.toString("utf8"),
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

/** Of an index, the digest of the one image for linux/amd64. Undefined for the manifest of an image. */
function chooseManifest(document: Buffer): string | undefined {
  const index = parseDocument(z.looseObject({ manifests: z.unknown().optional() }), document, "the manifest");
  if (index.manifests === undefined) return undefined;
  const { manifests } = parseDocument(indexShape, document, "the index");
  // Attestations are listed as images for unknown/unknown.
  const names = manifests.map(({ platform }) => `${platform?.os}/${platform?.architecture}`);
  requirePlatform(names.filter((name) => name !== "unknown/unknown"));
  const fitting = manifests.filter((_, at) => names[at] === "linux/amd64");
  const [chosen] = fitting;
  if (chosen !== undefined && fitting.length === 1) return chosen.digest;
  const message = `The index contains ${fitting.length} images for linux/amd64.`;
  throw badBundle("SEVERAL_IMAGES", "", message, "Name the digest of one of them.");
}

async function readDocument(source: Source, digest: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of await fetchContent(source, `manifests/${digest}`, { accept: ACCEPT })) {
    bytes += chunk.length;
    if (bytes > BUNDLE_LIMITS.documentBytes)
      throw badBundle("NOT_AN_IMAGE", "", "The image's manifest is larger than 1 MiB.");
    chunks.push(chunk);
  }
  const document = Buffer.concat(chunks);
  if (`sha256:${createHash("sha256").update(document).digest("hex")}` === digest) return document;
  throw wrongContent(source.reference.host, digest);
}

async function pullBlob(source: Source, { digest, bytes }: NamedBlob, folder: string): Promise<SentBlob> {
  const file = path.join(folder, `pulled-${toHex(digest)}`);
  const hash = createHash("sha256");
  let arrived = 0;
  const handle = await open(file, "wx", 0o600);
  try {
    for await (const chunk of await fetchContent(source, `blobs/${digest}`)) {
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

/** What the registry answers, until it sends too slowly or the publisher is gone. */
async function fetchContent(
  { client, reference, signal, hasCredentials }: Source,
  target: string,
  headers: Record<string, string> = {},
): Promise<AsyncIterable<Buffer>> {
  const { host, repository } = reference;
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
  if (statusCode === 404) {
    const fix =
      "Check the name and the digest, and that the image was pushed. Some registries also answer this way without credentials.";
    throw new Problem("REGISTRY_FAILED", `${host} has no such image in ${repository}. ${fix}`);
  }
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
  const example = "registry.example/team/app@sha256:…";
  const details = {
    malformed: `This is not a valid image reference. Write it like this: ${example}.`,
    "no-registry": `The reference names no registry. Write it like this: ${example}.`,
    "no-digest":
      "The reference has no digest, so it doesn't say which image is meant: tags can move. " +
      "`docker buildx imagetools inspect <image>` and `docker push` show the digest. Add it as @sha256:….",
  };
  throw new Problem("BAD_INPUT", details[parsed]);
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
  const message = `${host} sent something else than ${digest}.`;
  return badBundle("WRONG_DIGEST", digest, message, "Push the image again.");
}
