/** The gateway's publish API. */
import { setTimeout as sleep } from "node:timers/promises";
import { publishAnswer, type PublishAnswer, whoamiAnswer } from "@/lib/contract/calls/gateway-answers";
import {
  type PublishFromInput,
  type PulledDraft,
  pulledDraft,
  type PushDraftInput,
  pushedDraft,
  type PushedDraft,
} from "@/lib/contract/catalog/manifest-draft";
import { MANIFEST_TYPE } from "../image/image-content";
import { call, ConnectionFailure, send } from "./call-platform";
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
  /** Of an image in a registry, which may have several. */
  platform?: string;
  /** Markdown: what is new. */
  notes?: string;
}

/**
 * Sent again when the connection breaks, or a proxy gives up waiting: the platform answers a repeated request as it answered the first, whose answer may have been
 * lost.
 */
export async function publishImage(
  credentials: Credentials,
  { name, version, image, platform, notes }: Publication,
  retryMs: readonly number[],
  signal: AbortSignal,
): Promise<PublishAnswer> {
  const query = new URLSearchParams({ version, ...(platform === undefined ? {} : { platform }) });
  const path = `/publish/v1/apps/${name}/versions?${query.toString()}`;
  const isPlain = typeof image === "string" && notes === undefined;
  const body = isPlain
    ? image
    : JSON.stringify({ ...(typeof image === "string" ? { manifest: image } : image), notes });
  const headers = { "content-type": isPlain ? MANIFEST_TYPE : "application/json" };
  for (const waitMs of retryMs) {
    try {
      return await call(credentials, publishAnswer, path, { method: "POST", body, headers, signal });
    } catch (error) {
      if (!(error instanceof ConnectionFailure)) throw error;
    }
    await sleep(waitMs, undefined, { signal });
  }
  return call(credentials, publishAnswer, path, { method: "POST", body, headers, signal });
}
