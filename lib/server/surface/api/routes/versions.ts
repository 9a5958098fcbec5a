/** The versions of an app: publish one, describe it, list them; and the draft of its manifest, which the editor shares. */
import * as z from "zod";
import { publishAnswer, savedNotes } from "@/lib/contract/calls/gateway-answers";
import { releaseNotesInput } from "@/lib/contract/catalog/listing";
import {
  DRAFT_BODY_BYTES,
  imagePlatform,
  publishInput,
  pulledDraft,
  pushDraftInput,
  pushedDraft,
} from "@/lib/contract/catalog/manifest-draft";
import { type AppVersions, appVersions, versionsQuery } from "@/lib/contract/surface/own-app";
import { writeNotesOfNumber } from "../../../catalog/listing-text";
import { publishVersion } from "../../../catalog/publish/publish-version";
import type { PublishedImage } from "../../../catalog/publish/receive-image";
import { pullDraft, pushDraft } from "../../../catalog/publish/sync-draft";
import { BUNDLE_LIMITS } from "../../../images/archive/bad-bundle";
import { MANIFEST_TYPES } from "../../../images/archive/image";
import type { Platform } from "../../../platform/platform";
import { apiKey, keyForApp, type OwnApp } from "./credentials";
import { type Exchange, isOfType, readJson, readText, untilClosed, webPage } from "./exchange";
import { selectVersionPage } from "./version-queries";
import { json, raw, route, SAMPLE } from "./route";

export const publish = route({
  name: "POST /publish/v1/apps/<organization>/<app>/versions",
  credential: apiKey("publish"),
  work: "uploads",
  summary: "Publish an image as a version",
  description:
    "The body is an image archive (`docker save`), plain or compressed with gzip. Or it is an OCI image manifest with its own " +
    "media type (`application/vnd.oci.image.manifest.v1+json`), whose blobs were uploaded before. Or it is JSON " +
    "with such a manifest as text (`manifest`), or with the name of an image in a registry (`from`), and with release notes " +
    "(`notes`, Markdown). A request can be repeated: the same image with the same number gets the result of the first. The API key needs the scope `publish`.",
  query: z.object({
    version: z.string().optional().meta({
      description: "The version number, if it is not the one in the image's manifest.",
      example: "1.5.0",
    }),
    platform: imagePlatform.optional().meta({
      description: "Which image, if an archive or a registry has several for linux/amd64.",
      example: "linux/amd64/v2",
    }),
  }),
  body: raw("application/x-tar"),
  status: 201,
  answer: json(publishAnswer, {
    version: "1.5.0",
    imageDigest: `sha256:${"0".repeat(64)}`,
    listingUrl: "https://platform.example/publish/vin-lookup",
  }),
  problems: [
    "BAD_MANIFEST",
    "BAD_BUNDLE",
    "QUOTA_EXCEEDED",
    "NOT_FOUND",
    "TOO_SLOW",
    "VERSION_EXISTS",
    "WRONG_STATE",
    "TOO_LARGE",
    "STORAGE_FULL",
    "REGISTRY_FAILED",
  ],
  run: async (asked) => {
    const { platform, caller, parts, query, response } = asked;
    const { number, imageDigest, draftRevision, warnings } = await publishVersion(platform, caller, {
      appName: parts.join("/"),
      declaredVersion: query.version,
      wanted: query.platform,
      ...(await readImage(asked)),
      signal: untilClosed(response),
    });
    const listingUrl = webPage(platform, `/publish/${parts[1] ?? ""}`);
    return { version: number, imageDigest, listingUrl, draftRevision, warnings };
  },
});

/** What is published: an image that was sent blob by blob, one in a registry, or else an archive, which is read later. */
async function readImage(exchange: Exchange): Promise<PublishedImage & { releaseNotes?: string }> {
  const { request } = exchange;
  if (isOfType(request, MANIFEST_TYPES))
    return { manifest: await readText(exchange, BUNDLE_LIMITS.documentBytes) };
  if (!isOfType(request, ["application/json"])) return { archive: request };
  // As text in JSON, a manifest takes up to twice as much.
  const body = await readJson(exchange, publishInput, 2 * BUNDLE_LIMITS.documentBytes);
  const image = "manifest" in body ? { manifest: body.manifest } : { from: body };
  return { ...image, releaseNotes: body.notes };
}

export const saveNotes = route({
  name: "PUT /publish/v1/apps/<organization>/<app>/versions/<version>/notes",
  credential: apiKey("publish"),
  summary: "Save the release notes of a version",
  description:
    "Markdown. They can be changed until the version is submitted for review. The API key needs the scope `publish`.",
  parameters: { version: "The version number." },
  body: json(releaseNotesInput, { notes: "Faster lookups." }),
  answer: json(savedNotes, { version: "1.5.0", characters: 15 }),
  problems: ["BAD_MANIFEST", "NOT_FOUND", "WRONG_STATE"],
  run: async ({ platform, caller, parts: [organization = "", app = "", version = ""], body: { notes } }) => {
    await writeNotesOfNumber(platform, caller, `${organization}/${app}`, version, notes);
    return { version, characters: notes.length };
  },
});

export const versions = route({
  name: "GET /publish/v1/apps/<organization>/<app>/versions",
  credential: keyForApp(),
  summary: "List the versions of an app",
  description: "Newest first, 50 to a page. Any API key of the organization may read them.",
  query: versionsQuery,
  answer: json(appVersions, {
    versions: [
      {
        version: "1.4.0",
        imageDigest: `sha256:${"0".repeat(64)}`,
        bytes: 48_311_296,
        publishedAt: SAMPLE.at,
        publishedBy: "API key CI",
        verifiedAt: null,
        review: "PENDING",
        installations: 1,
        releaseNotes: "Reads commercial vehicles too.",
      },
    ],
  }),
  run: ({ platform, caller: { app }, query }) => listVersions(platform, app, query.before),
});

const PAGE = 50;

/** @param before the `next` of the previous page */
async function listVersions(
  { db }: Platform,
  { listing }: OwnApp,
  before: string | undefined,
): Promise<AppVersions> {
  const found = await selectVersionPage(db, listing.id, { before, limit: PAGE + 1 });
  const page = found.slice(0, PAGE).map(({ id: _, publishedAt, verifiedAt, ...version }) => ({
    ...version,
    publishedAt: publishedAt.toISOString(),
    verifiedAt: verifiedAt?.toISOString() ?? null,
  }));
  return { versions: page, next: found.length > PAGE ? found[PAGE - 1]?.id : undefined };
}

export const readDraft = route({
  name: "GET /publish/v1/apps/<organization>/<app>/manifest",
  credential: apiKey("manifest:read"),
  summary: "Read the draft of an app's manifest",
  description: "The API key needs the scope `manifest:read`.",
  answer: json(pulledDraft),
  problems: ["BAD_MANIFEST", "NOT_FOUND"],
  run: ({ platform, caller, parts }) => pullDraft(platform, caller, parts.join("/")),
});

export const saveDraft = route({
  name: "PUT /publish/v1/apps/<organization>/<app>/manifest",
  credential: apiKey("manifest:write"),
  summary: "Save the draft of an app's manifest",
  description:
    "Saves it even if it has errors, and returns all of them. The API key needs the scope `manifest:write`.",
  body: json(
    pushDraftInput,
    { text: '{ "name": "acme/vin-lookup", "version": "1.5.0" }', revision: 3 },
    DRAFT_BODY_BYTES,
  ),
  answer: json(pushedDraft, { revision: 4, issues: [] }),
  problems: ["BAD_MANIFEST", "NOT_FOUND", "STALE_REVISION", "WRONG_STATE"],
  run: ({ platform, caller, parts, body }) => pushDraft(platform, caller, parts.join("/"), body),
});
