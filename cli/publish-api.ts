/** The gateway's publish API. */
import type { Readable } from "node:stream";
import { z } from "zod";
import { publishAnswer, type PublishAnswer, savedNotes, whoamiAnswer } from "@/lib/contract/gateway-answers";
import {
  type PulledDraft,
  pulledDraft,
  type PushDraftInput,
  pushedDraft,
  type PushedDraft,
} from "@/lib/contract/manifest-draft";
import { call, ConnectionFailure, PlatformProblem } from "./call-platform";
import type { Credentials } from "./credentials";
import { type Failure } from "./terminal/failure";

const RETRY_MS = 10_000;

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

export async function publishArchive(
  credentials: Credentials,
  name: string,
  version: string,
  archive: Readable,
  signal: AbortSignal,
): Promise<PublishAnswer> {
  const path = `/publish/v1/apps/${name}/versions?version=${encodeURIComponent(version)}`;
  const headers = { "content-type": "application/x-tar" };
  try {
    return await call(credentials, publishAnswer, path, { method: "POST", body: archive, headers, signal });
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    const problem = await retryWithoutArchive(credentials, path, signal);
    throw problem ?? error;
  }
}

/**
 * If the server rejects an upload before reading it, the connection closes and the response can be lost. The same
 * request without an archive is rejected for the same reason, or for being empty.
 */
async function retryWithoutArchive(
  credentials: Credentials,
  path: string,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const headers = { "content-type": "application/x-tar" };
  const brief = AbortSignal.any([signal, AbortSignal.timeout(RETRY_MS)]);
  const answer: unknown = await call(credentials, z.unknown(), path, {
    method: "POST",
    headers,
    signal: brief,
  }).catch((error: unknown) => error);
  return answer instanceof PlatformProblem && answer.code !== "BAD_BUNDLE" ? answer : undefined;
}
