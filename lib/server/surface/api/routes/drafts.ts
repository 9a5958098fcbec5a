/** The draft of an app's manifest, which the editor and the command line share. */
import {
  DRAFT_BODY_BYTES,
  pulledDraft,
  pushDraftInput,
  pushedDraft,
} from "@/lib/contract/catalog/manifest-draft";
import { pullDraft, pushDraft } from "../../../catalog/publish/sync-draft";
import { apiKey } from "./credentials";
import { json, route } from "./route";

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
