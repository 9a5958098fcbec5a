import { Readable } from "node:stream";
import {
  type DetailedError,
  type HttpRequest,
  type HttpResponse,
  type HttpStack,
  Upload,
} from "tus-js-client";
import { request } from "undici";
import { Failure, PlatformProblem } from "../terminal/failure";
import { chooseDispatcher, toAuthorization, toFailure, tooLargeForProxy, unreachable } from "./call-platform";
import type { Credentials } from "./credentials";
import { UPLOADS } from "./publish-api";

/**
 * How much of a blob one request sends. Small enough that a revoked key is noticed soon. A proxy that refuses a request as too large gets
 * smaller ones from then on: nginx allows 1 MiB unless it is told otherwise.
 */
export interface ChunkSize {
  bytes: number;
}
export const LARGEST_CHUNK = 8 * 1024 * 1024;
const SMALLEST_CHUNK = 512 * 1024;

interface BlobUpload {
  credentials: Credentials;
  digest: string;
  source: ChunkSource;
  /** Of all blobs of an image. */
  chunk: ChunkSize;
  /** How long to wait before each attempt to continue. Starts over whenever something has arrived. */
  retryMs: readonly number[];
  signal: AbortSignal;
  onProgress: (bytes: number) => void;
}

/** Sends a blob, from where an earlier attempt has stopped. Rejects with a `Failure`, or the signal's reason. */
export async function sendBlob(blob: BlobUpload): Promise<void> {
  for (;;)
    try {
      return await sendChunks(blob);
    } catch (error) {
      if (!(error instanceof ChunkRefused)) throw error;
      if (blob.chunk.bytes <= SMALLEST_CHUNK)
        throw tooLargeForProxy(blob.credentials, "uploads in requests of 512 KiB");
      blob.chunk.bytes /= 2;
    }
}

/** By something in front of the platform, whose own refusals say why. */
class ChunkRefused extends Error {}

function sendChunks(blob: BlobUpload): Promise<void> {
  const { credentials, digest, source, chunk, retryMs, signal, onProgress } = blob;
  const endpoint = credentials.url + UPLOADS;
  return new Promise((resolve, reject) => {
    // The library reads from `source` only, whatever it is given.
    const upload = new Upload(Buffer.alloc(0), {
      endpoint,
      uploadUrl: `${endpoint}/${digest}`,
      uploadSize: source.size,
      chunkSize: chunk.bytes,
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
  // 409, 416: the platform has received more or less than this program thinks. The library asks how much before it continues.
  return status === undefined || [409, 416, 423, 429].includes(status) || (status >= 500 && status !== 507);
}

function explain(credentials: Credentials, error: Error | DetailedError): Error {
  if (!("originalRequest" in error)) return error;
  const { originalResponse, causingError } = error;
  if (originalResponse !== null) {
    const status = originalResponse.getStatus();
    const failure = toFailure(credentials, status, originalResponse.getBody());
    return status === 413 && !(failure instanceof PlatformProblem) ? new ChunkRefused() : failure;
  }
  return causingError instanceof Failure ? causingError : unreachable(credentials, causingError);
}

/** What is reported as progress at once. */
const PIECE_BYTES = 64 * 1024;

/** The requests of the upload library, made by the same client, and through the same proxy, as all others. */
function createHttpStack(credentials: Credentials): HttpStack {
  return {
    createRequest: (method, url) => new BlobRequest(method, url, credentials),
    getName: () => "undici",
  };
}

class BlobRequest implements HttpRequest {
  readonly #headers: Record<string, string> = {};
  readonly #stop = new AbortController();
  #onProgress: (bytes: number) => void = () => {};

  constructor(
    readonly method: string,
    readonly url: string,
    readonly credentials: Credentials,
  ) {}

  getMethod = () => this.method;
  getURL = () => this.url;
  getHeader = (name: string) => this.#headers[name];
  setHeader = (name: string, value: string) => void (this.#headers[name] = value);
  setProgressHandler = (handler: (bytes: number) => void) => void (this.#onProgress = handler);
  getUnderlyingObject = () => undefined;

  async abort(): Promise<void> {
    this.#stop.abort();
  }

  async send(chunk: unknown): Promise<HttpResponse> {
    const { origin } = new URL(this.url);
    // The address comes from the platform's answer, and the key goes with the request.
    if (origin !== this.credentials.url)
      throw new Failure(
        "NOT_REACHABLE",
        `${this.credentials.url} redirected the upload to another address, ${origin}. Your key was not sent there, and nothing was published. Ask the platform's operator to check the gateway's public URL.`,
      );
    const bytes = chunk instanceof Uint8Array ? chunk : undefined;
    const response = await request(this.url, {
      method: this.method,
      headers: { ...this.#headers, ...(bytes && { "content-length": String(bytes.length) }) },
      body:
        bytes &&
        Readable.from(
          toPieces(bytes, (sent) => this.#onProgress(sent)),
          { objectMode: false },
        ),
      signal: this.#stop.signal,
      dispatcher: chooseDispatcher(this.credentials),
      // Whether an upload has stalled is judged by its progress.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return toResponse(response.statusCode, response.headers, await response.body.text());
  }
}

function toResponse(
  status: number,
  headers: Record<string, string | string[] | undefined>,
  body: string,
): HttpResponse {
  return {
    getStatus: () => status,
    getHeader: (name) => headers[name.toLowerCase()]?.toString(),
    getBody: () => body,
    getUnderlyingObject: () => undefined,
  };
}

/** The client asks for another piece when it has sent one before. */
async function* toPieces(bytes: Uint8Array, onProgress: (sent: number) => void): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES);
    onProgress(Math.min(bytes.length, at + PIECE_BYTES));
  }
}

/** A blob as `tus-js-client` reads it: in chunks, of which the last one can be read again if it has to be sent again. */

/** A chunk, with the size that the library looks for. */
type Chunk = Buffer & { size: number };

interface ChunkSource {
  size: number;
  slice(start: number, end: number): Promise<{ value: Chunk; done: boolean }>;
  close(): void;
}

/** @param size bytes of the whole content. What comes before the first chunk that is asked for is skipped. */
export function chunkSource(content: AsyncIterable<Buffer>, size: number): ChunkSource {
  const chunks = content[Symbol.asyncIterator]();
  /** What was read last, from `position` on. */
  let kept: Buffer = Buffer.alloc(0);
  let position = 0;
  let rest: Buffer = Buffer.alloc(0);

  async function read(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let missing = bytes;
    while (missing > 0) {
      if (rest.length === 0) {
        const next = await chunks.next();
        if (next.done === true) throw new Error("the image's archive is shorter than before");
        rest = next.value;
      }
      const part = rest.subarray(0, missing);
      rest = rest.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  return {
    size,
    slice: async (start, end) => {
      if (start < position) throw new Error("the platform has lost a part of the upload");
      while (position + kept.length < start) {
        position += kept.length;
        kept = await read(Math.min(start - position, SKIPPED_BYTES));
      }
      const again = kept.subarray(start - position);
      kept = Buffer.concat([again, await read(Math.max(0, end - start - again.length))]);
      position = start;
      const value = Object.assign(kept.subarray(0, end - start), { size: end - start });
      return { value, done: end >= size };
    },
    close: () => void chunks.return?.(),
  };
}

const SKIPPED_BYTES = 1024 * 1024;
