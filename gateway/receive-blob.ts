/** Resumable uploads of blobs, by the tus protocol (https://tus.io/protocols/resumable-upload). */
import type { IncomingMessage } from "node:http";
import { Server } from "@tus/server";
import { z } from "zod";
import { Problem, type ProblemCode } from "@/lib/contract/platform/problem";
import type { KeyHolder } from "@/lib/server/accounts/credentials/authenticate-api-key";
import { StagingStore, uploadLocks } from "@/lib/server/catalog/publish/resumable-uploads";
import { trackUpload } from "@/lib/server/catalog/publish/uploads";
import { BUNDLE_LIMITS } from "@/lib/server/images/bad-bundle";
import { digestText } from "@/lib/server/images/image";
import { type Exchange, untilClosed } from "./answer";

const PATH = "/publish/v1/uploads";
/** How long a request whose upload is continued by another one may take to write what it has received. */
const LEAVE_MS = 1_000;

/** Answers `POST` (begin), `HEAD` (how much has arrived) and `PATCH` (send more). */
export async function receiveBlob(
  { platform, request, response, parts: [digest] }: Exchange,
  { organizationId }: KeyHolder,
): Promise<void> {
  if (digest !== undefined && !digestText.safeParse(digest).success) throw new Problem("NOT_FOUND");
  const tracked = trackUpload(untilClosed(response));
  const server = new Server({
    path: PATH,
    datastore: new StagingStore(platform, organizationId, tracked.signal),
    locker: uploadLocks(organizationId),
    relativeLocation: true,
    lockDrainTimeout: LEAVE_MS,
    maxSize: BUNDLE_LIMITS.archiveBytes,
    namingFunction: (_request, metadata) => requireDigest(metadata),
    getFileIdFromRequest: () => digest,
    onResponseError: (_request, error) => {
      throw error instanceof Error ? error : toProblem(error.status_code, error.body);
    },
  });
  try {
    const answer = await server.handleWeb(toWebRequest(request));
    if (answer.status >= 400) throw toProblem(answer.status, await answer.text());
    response.writeHead(answer.status, { "cache-control": "no-store", ...Object.fromEntries(answer.headers) });
    response.end();
  } finally {
    tracked.end();
  }
}

const metadataShape = z.object({ digest: digestText });

function requireDigest(metadata: unknown): string {
  const parsed = metadataShape.safeParse(metadata);
  if (parsed.success) return parsed.data.digest;
  throw new Problem("BAD_INPUT", 'Send the blob\'s digest ("sha256:…") as "digest" in Upload-Metadata.');
}

/** The part of the request that the protocol knows. */
function toWebRequest(request: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (/^(tus|upload|content)-/.test(name) && typeof value === "string") headers.set(name, value);
  const { method = "", url = "/" } = request;
  const body = method === "HEAD" ? null : toWebStream(request);
  // A body that is a stream requires `duplex`, which the types of browsers don't know.
  const init = { method, headers, body, duplex: "half" };
  return new Request(new URL(url, "http://gateway"), init);
}

/** Unlike Node's own conversion, it never destroys the request, which would cut the response off too. */
function toWebStream(request: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = request.iterator({ destroyOnReturn: false });
  return new ReadableStream({
    pull: async (controller) => {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
}

const CODES: Partial<Record<number, ProblemCode>> = {
  404: "NOT_FOUND",
  409: "WRONG_STATE",
  410: "NOT_FOUND",
  413: "TOO_LARGE",
  500: "UNAVAILABLE",
};

/** The library's own refusals. */
function toProblem(status: number, text: string): Problem {
  const code = CODES[status] ?? "BAD_INPUT";
  return new Problem(
    code,
    `The upload was refused: ${text.trim()}. It follows the tus protocol, version 1.0.0.`,
  );
}
