/** Resumable uploads of blobs, by the tus protocol (https://tus.io/protocols/resumable-upload). */
import type { IncomingMessage } from "node:http";
import { Server } from "@tus/server";
import { z } from "zod";
import { Problem, type ProblemCode } from "@/lib/contract/platform/problem";
import type { KeyHolder } from "../../../accounts/credentials/authenticate-api-key";
import { StagingStore, uploadLocks } from "../../../catalog/publish/resumable-uploads";
import { trackUpload } from "../../../catalog/publish/uploads";
import { BUNDLE_LIMITS } from "../../../images/archive/bad-bundle";
import { digestText } from "../../../images/archive/image";
import { apiKey } from "./credentials";
import { type Exchange, untilClosed } from "./exchange";
import { NOTHING, raw, route } from "./route";

const UPLOAD = {
  credential: apiKey("publish"),
  answer: NOTHING,
  problems: [
    "BAD_INPUT",
    "QUOTA_EXCEEDED",
    "NOT_FOUND",
    "TOO_SLOW",
    "WRONG_STATE",
    "TOO_LARGE",
    "STORAGE_FULL",
  ],
  run: receive,
} as const;

const DIGEST = { digest: "`sha256:` and 64 hexadecimal digits." };

export const beginUpload = route({
  ...UPLOAD,
  name: "POST /publish/v1/uploads",
  work: "uploads",
  summary: "Begin the upload of a blob",
  description:
    "Resumable, by the tus protocol 1.0.0. `Upload-Metadata` contains the blob's digest as `digest`, `Upload-Length` its " +
    "size. The upload's URL is this one with the digest. The API key needs the scope `publish`.",
  status: 201,
});

export const findUpload = route({
  ...UPLOAD,
  name: "HEAD /publish/v1/uploads/<digest>",
  summary: "Ask how much of a blob has arrived",
  description:
    "`Upload-Offset` is as large as `Upload-Length` if all of it has arrived, or if your organization has stored the blob. " +
    "Like all responses to HEAD, errors have no body. The API key needs the scope `publish`.",
  parameters: DIGEST,
});

export const continueUpload = route({
  ...UPLOAD,
  name: "PATCH /publish/v1/uploads/<digest>",
  work: "uploads",
  summary: "Send a part of a blob",
  description:
    "From `Upload-Offset` on. What arrives before a connection breaks is kept for a day. The API key needs the scope `publish`.",
  parameters: DIGEST,
  body: raw("application/offset+octet-stream"),
  status: 204,
});

/** How long a request whose upload is continued by another one may take to write what it has received. */
const LEAVE_MS = 1_000;

interface Sent extends Exchange {
  caller: KeyHolder;
}

/** @returns the headers that say where the upload is, and how much of it has arrived */
async function receive({ platform, request, response, parts: [digest], caller }: Sent) {
  const { organizationId } = caller;
  if (digest !== undefined && !digestText.safeParse(digest).success) throw new Problem("NOT_FOUND");
  const tracked = trackUpload(untilClosed(response));
  const store = new StagingStore(platform, organizationId, tracked.signal);
  const server = new Server({
    path: "/publish/v1/uploads",
    datastore: store,
    locker: uploadLocks(store),
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
    return Object.fromEntries(answer.headers);
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
