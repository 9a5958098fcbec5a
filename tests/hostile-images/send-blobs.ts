/** Sends an image blob by blob, as the command line does, with requests that a test can look at and break. */
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { toDigest } from "@/lib/server/images/archive/test-archives";

export const UPLOADS = "/publish/v1/uploads";
export const MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json";

export interface Sender {
  base: string;
  authorization: string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Sending {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
  /** Destroys the connection once so many bytes of the body are sent. */
  breakAfter?: number;
}

/** Rejects if the connection breaks before the response. */
export function send({ base, authorization }: Sender, sending: Sending): Promise<Answer> {
  const { method, path, body, breakAfter } = sending;
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const headers = { "tus-resumable": "1.0.0", authorization, ...length, ...sending.headers };
  return new Promise((resolve, reject) => {
    const request = httpRequest(base + path, { method, headers, agent: false }, (response) => {
      buffer(response).then(
        (bytes) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString() }),
        reject,
      );
    });
    request.once("error", reject);
    if (breakAfter === undefined) request.end(body);
    else request.write(Buffer.from(body ?? "").subarray(0, breakAfter), () => request.destroy());
  });
}

export function begin(sender: Sender, blob: Buffer, bytes = blob.length): Promise<Answer> {
  const metadata = `digest ${Buffer.from(toDigest(blob)).toString("base64")}`;
  const headers = { "upload-length": String(bytes), "upload-metadata": metadata };
  return send(sender, { method: "POST", path: UPLOADS, headers });
}

export function ask(sender: Sender, digest: string): Promise<Answer> {
  return send(sender, { method: "HEAD", path: `${UPLOADS}/${digest}` });
}

export function proceed(
  sender: Sender,
  digest: string,
  offset: number,
  body: Buffer,
  more: Partial<Sending> = {},
): Promise<Answer> {
  const headers = { "content-type": "application/offset+octet-stream", "upload-offset": String(offset) };
  return send(sender, { method: "PATCH", path: `${UPLOADS}/${digest}`, headers, body, ...more });
}

export interface LayeredImage {
  manifest: string;
  /** The configuration, then the layers. */
  blobs: Buffer[];
}

/** The image as an OCI manifest and the blobs that it names. */
export function toLayered(config: Buffer, layers: readonly Buffer[]): LayeredImage {
  const describe = (mediaType: string, blob: Buffer) => ({
    mediaType,
    digest: toDigest(blob),
    size: blob.length,
  });
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    config: describe("application/vnd.oci.image.config.v1+json", config),
    layers: layers.map((layer) => describe("application/vnd.oci.image.layer.v1.tar+gzip", layer)),
  });
  return { manifest, blobs: [config, ...layers] };
}

/** Sends what is missing, and returns how many bytes that were. */
export async function sendMissing(sender: Sender, blobs: readonly Buffer[]): Promise<number> {
  let bytes = 0;
  for (const blob of blobs) {
    const digest = toDigest(blob);
    if ((await ask(sender, digest)).headers["upload-offset"] === String(blob.length)) continue;
    await begin(sender, blob);
    const { status, text } = await proceed(sender, digest, 0, blob);
    if (status !== 204) throw new Error(`${status} ${text}`);
    bytes += blob.length;
  }
  return bytes;
}

export function publishManifest(
  sender: Sender,
  app: string,
  manifest: string,
  version?: string,
): Promise<Answer> {
  const query = version === undefined ? "" : `?version=${version}`;
  const path = `/publish/v1/apps/${app}/versions${query}`;
  return send(sender, { method: "POST", path, headers: { "content-type": MANIFEST_TYPE }, body: manifest });
}
