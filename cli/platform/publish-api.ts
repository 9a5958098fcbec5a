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
import { PlatformProblem } from "../terminal/failure";
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
  retryMs: readonly number[],
  signal: AbortSignal,
): Promise<number> {
  const headers = { "tus-resumable": "1.0.0" };
  const path = `${UPLOADS}/${digest}`;
  const ask = () => send(credentials, path, { method: "HEAD", headers, signal });
  const { status, headers: answer } = await withRetries(ask, retryMs, signal);
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

/** Sent again when it fails: the platform answers a repeated request as it answered the first, whose answer may have been lost. */
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
  const publish = () => call(credentials, publishAnswer, path, { method: "POST", body, headers, signal });
  return withRetries(publish, retryMs, signal);
}

/** What the platform answers while a part of it restarts. */
const PASSING = new Set(["UNAVAILABLE", "DATABASE_UNAVAILABLE", "OVERLOADED"]);

/** Tries again when the connection breaks, a proxy gives up waiting, or the platform asks for patience. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  retryMs: readonly number[],
  signal: AbortSignal,
): Promise<Result> {
  for (const waitMs of retryMs) {
    try {
      return await attempt();
    } catch (error) {
      const mayPass =
        error instanceof ConnectionFailure || (error instanceof PlatformProblem && PASSING.has(error.code));
      if (!mayPass) throw error;
    }
    await sleep(waitMs, undefined, { signal });
  }
  return attempt();
}
