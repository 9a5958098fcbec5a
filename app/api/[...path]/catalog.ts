import {
  listingInput,
  pilotsInput,
  releaseNotesInput,
  saveTextInput,
  visibilityInput,
} from "@/lib/contract/catalog/listing";
import { DRAFT_BODY_BYTES, releaseInput, saveDraftInput } from "@/lib/contract/catalog/manifest-draft";
import { toPublisher } from "@/lib/domain/platform/actor";
import { editReleaseNotes, readTextDraft, saveText } from "@/lib/server/catalog/listing-text";
import { deleteDraft } from "@/lib/server/catalog/delete-draft";
import { createListing } from "@/lib/server/catalog/own-listings";
import { changePilots, leavePilot } from "@/lib/server/catalog/pilots";
import { receiveImage } from "@/lib/server/catalog/pictures";
import { readDraft, readVersionManifest, saveDraft } from "@/lib/server/catalog/publish/manifest-draft";
import { measureImpact } from "@/lib/server/catalog/publish/measure-impact";
import { releaseManifest } from "@/lib/server/catalog/publish/release-manifest";
import { changeVisibility, renewLink } from "@/lib/server/catalog/visibility";
import { route } from "@/lib/server/surface/web/route";

export const catalogRoutes = [
  /** The body is the picture itself. */
  route("POST /api/images", {
    created: true,
    run: ({ platform, member, request }) => receiveImage(platform, member, request),
  }),

  route("POST /api/listings", {
    body: listingInput,
    created: true,
    run: ({ platform, member, body }) => createListing(platform, member, body),
  }),

  route("DELETE /api/listings/[listingId]", {
    run: ({ platform, member, params }) => deleteDraft(platform, member, params.listingId ?? ""),
  }),

  route("GET /api/listings/[listingId]/manifest", {
    run: ({ platform, member, params }) => readDraft(platform, toPublisher(member), params.listingId ?? ""),
  }),

  route("PUT /api/listings/[listingId]/manifest", {
    body: saveDraftInput,
    bodyBytes: DRAFT_BODY_BYTES,
    run: ({ platform, member, params, body }) =>
      saveDraft(platform, toPublisher(member), params.listingId ?? "", body),
  }),

  route("GET /api/listings/[listingId]/manifest/impact", {
    run: ({ platform, member, params }) =>
      measureImpact(platform, toPublisher(member), params.listingId ?? ""),
  }),

  route("POST /api/listings/[listingId]/manifest/release", {
    body: releaseInput,
    created: true,
    run: ({ platform, member, params, body }) =>
      releaseManifest(platform, toPublisher(member), params.listingId ?? "", body),
  }),

  route("GET /api/listings/[listingId]/text", {
    run: ({ platform, member, params }) => readTextDraft(platform, member, params.listingId ?? ""),
  }),

  route("PUT /api/listings/[listingId]/text", {
    body: saveTextInput,
    run: ({ platform, member, params, body }) => saveText(platform, member, params.listingId ?? "", body),
  }),

  route("GET /api/listings/[listingId]/versions/[versionId]/manifest", {
    run: ({ platform, member, params }) =>
      readVersionManifest(platform, toPublisher(member), params.listingId ?? "", params.versionId ?? ""),
  }),

  route("PUT /api/listings/[listingId]/visibility", {
    body: visibilityInput,
    run: ({ platform, member, params, body }) =>
      changeVisibility(platform, member, params.listingId ?? "", body),
  }),

  route("PUT /api/listings/[listingId]/pilots", {
    body: pilotsInput,
    run: ({ platform, member, params, body }) => changePilots(platform, member, params.listingId ?? "", body),
  }),

  route("DELETE /api/pilots/[listingId]", {
    run: ({ platform, member, params }) => leavePilot(platform, member, params.listingId ?? ""),
  }),

  route("POST /api/listings/[listingId]/link", {
    run: ({ platform, member, params }) => renewLink(platform, member, params.listingId ?? ""),
  }),

  route("PUT /api/listings/[listingId]/versions/[versionId]/notes", {
    body: releaseNotesInput,
    run: ({ platform, member, params: { listingId = "", versionId = "" }, body }) =>
      editReleaseNotes(platform, member, listingId, versionId, body.notes),
  }),
];
