import { Upload, type DetailedError } from "tus-js-client";
import { toAuthorization, toFailure, unreachable } from "../platform/call-platform";
import type { Credentials } from "../platform/credentials";
import { UPLOADS } from "../platform/publish-api";
import { Failure } from "../terminal/failure";
import { createHttpStack } from "./blob-requests";
import type { ChunkSource } from "./chunk-source";

/** One request each. Small enough that a revoked key is noticed soon. */
const CHUNK_BYTES = 8 * 1024 * 1024;

export interface BlobUpload {
  credentials: Credentials;
  digest: string;
  source: ChunkSource;
  /** How long to wait before each attempt to continue. Starts over whenever something has arrived. */
  retryMs: readonly number[];
  signal: AbortSignal;
  onProgress: (bytes: number) => void;
}

/** Sends a blob, from where an earlier attempt has stopped. Rejects with a `Failure`, or the signal's reason. */
export function sendBlob(blob: BlobUpload): Promise<void> {
  const { credentials, digest, source, retryMs, signal, onProgress } = blob;
  const endpoint = credentials.url + UPLOADS;
  return new Promise((resolve, reject) => {
    // The library reads from `source` only, whatever it is given.
    const upload = new Upload(Buffer.alloc(0), {
      ...{ endpoint, uploadUrl: `${endpoint}/${digest}`, uploadSize: source.size, chunkSize: CHUNK_BYTES },
      headers: { authorization: toAuthorization(credentials) },
      httpStack: createHttpStack(credentials),
      metadata: { digest },
      retryDelays: [...retryMs],
      fileReader: { openFile: async () => source },
      storeFingerprintForResuming: false,
      onShouldRetry: ({ originalResponse, causingError }) =>
        !(causingError instanceof Failure) && mayPass(originalResponse?.getStatus()),
      onProgress: (sent) => onProgress(sent),
      onSuccess: () => settle(resolve),
      onError: (error) => settle(() => reject(explain(credentials, error))),
    });
    const stop = () => {
      void upload.abort();
      settle(() => reject(signal.reason));
    };
    const settle = (end: () => void) => {
      signal.removeEventListener("abort", stop);
      end();
    };
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    else upload.start();
  });
}

/** @param status undefined if the connection broke */
function mayPass(status: number | undefined): boolean {
  // 409: the platform has received more than this side knows.
  return status === undefined || [409, 423, 429].includes(status) || (status >= 500 && status !== 507);
}

function explain(credentials: Credentials, error: Error | DetailedError): Error {
  if (!("originalRequest" in error)) return error;
  const { originalResponse, causingError } = error;
  if (originalResponse !== null)
    return toFailure(credentials, originalResponse.getStatus(), originalResponse.getBody());
  return causingError instanceof Failure ? causingError : unreachable(credentials, causingError);
}
