/** The gateway's publish API. */
import {
  publishAnswer,
  type PublishAnswer,
  savedNotes,
  whoamiAnswer,
} from "@/lib/contract/calls/gateway-answers";
import {
  type PublishFromInput,
  type PulledDraft,
  pulledDraft,
  type PushDraftInput,
  pushedDraft,
  type PushedDraft,
} from "@/lib/contract/catalog/manifest-draft";
import { MANIFEST_TYPE } from "../image/image-content";
import { call, send } from "./call-platform";
import type { Credentials } from "./credentials";

export const UPLOADS = "/publish/v1/uploads";

/** `name`: `<org-name>/<app-name>`. */
export function pullDraft(
  credentials: Credentials,
  name: string,
  signal?: AbortSignal,
): Promise<PulledDraft> {
  return call(credentials, pulledDraft, draftPath(name), { method: "GET", signal });
}

export function pushDraft(
  credentials: Credentials,
  name: string,
  input: PushDraftInput,
): Promise<PushedDraft> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(input);
  return call(credentials, pushedDraft, draftPath(name), { method: "PUT", headers, body });
}

function draftPath(name: string): string {
  return `/publish/v1/apps/${name}/manifest`;
}

export async function saveNotes(
  credentials: Credentials,
  name: string,
  version: string,
  notes: string,
): Promise<void> {
  const path = `/publish/v1/apps/${name}/versions/${encodeURIComponent(version)}/notes`;
  const headers = { "content-type": "application/json" };
  await call(credentials, savedNotes, path, { method: "PUT", headers, body: JSON.stringify({ notes }) });
}

export async function whoami(credentials: Credentials, signal?: AbortSignal) {
  return call(credentials, whoamiAnswer, "/publish/v1/whoami", { method: "GET", signal });
}

/** How many bytes of a blob the platform has for this organization. */
export async function askBlob(
  credentials: Credentials,
  digest: string,
  signal: AbortSignal,
): Promise<number> {
  const headers = { "tus-resumable": "1.0.0" };
  const path = `${UPLOADS}/${digest}`;
  const { status, headers: answer } = await send(credentials, path, { method: "HEAD", headers, signal });
  // Any other status has no body that says why. The upload then fails with the reason.
  return status === 200 ? Number(answer["upload-offset"]) || 0 : 0;
}

export interface Publication {
  name: string;
  version: string;
  /** An OCI manifest whose blobs the platform has, or an image in a registry. */
  image: string | PublishFromInput;
}

export function publishImage(
  credentials: Credentials,
  { name, version, image }: Publication,
  signal: AbortSignal,
): Promise<PublishAnswer> {
  const path = `/publish/v1/apps/${name}/versions?version=${encodeURIComponent(version)}`;
  const [type, body] =
    typeof image === "string" ? [MANIFEST_TYPE, image] : ["application/json", JSON.stringify(image)];
  const headers = { "content-type": type };
  return call(credentials, publishAnswer, path, { method: "POST", body, headers, signal });
}
