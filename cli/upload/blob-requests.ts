/** The requests of the upload library, made by the same client, and through the same proxy, as all others. */
import { Readable } from "node:stream";
import type { HttpRequest, HttpResponse, HttpStack } from "tus-js-client";
import { request } from "undici";
import { chooseDispatcher } from "../platform/choose-dispatcher";
import type { Credentials } from "../platform/credentials";
import { Failure } from "../terminal/failure";

/** What is reported as progress at once. */
const PIECE_BYTES = 64 * 1024;

export function createHttpStack(credentials: Credentials): HttpStack {
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
