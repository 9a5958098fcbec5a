import { readFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import tar from "tar-stream";
import { describeHealth } from "@/lib/contract/calls/gateway-answers";
import { ADDRESSES_FILE } from "@/lib/contract/catalog/publish-commands";
import { Problem } from "@/lib/contract/platform/problem";
import type { PlatformAddresses } from "@/lib/contract/surface/addresses";
import { findMissing } from "../../platform/database/availability";
import type { Environment } from "../../platform/environment";
import type { Platform } from "../../platform/platform";
import { EVENT_STREAM_HEADERS, type ServerEvent, writeEvent } from "../../accounts/live-list";
import { isWebDraining } from "./platform";

/**
 * Where a request for events continues, and what ends it.
 * @param after the position in its URL; the browser's own, when it reconnects, wins
 * @throws BAD_INPUT if the request doesn't accept events
 */
export function readFollowing({ headers, signal }: Request, after: string | undefined) {
  if (headers.get("accept") !== "text/event-stream")
    throw new Problem("BAD_INPUT", "This address only streams events. Send 'Accept: text/event-stream'.");
  return { after: headers.get("last-event-id") ?? after, signal };
}

/** Answers with server-sent events. A reader that is slow slows the events down: the next one is only asked for when it fits. */
export function respondWithEvents(events: AsyncGenerator<ServerEvent>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(writeEvent(value)));
    },
    // The generator ends on its signal. It would answer a `return` only after what it is waiting for.
    cancel: () => void events.return(undefined),
  });
  return new Response(body, { headers: EVENT_STREAM_HEADERS });
}

/** Whether this process can serve pages, as load balancers ask. */
export async function respondWithHealth(platform: Platform): Promise<Response> {
  const isDraining = isWebDraining();
  const health = describeHealth(isDraining, isDraining ? [] : await findMissing(platform));
  const headers = { "cache-control": "no-store", ...(health.status !== "ok" && { "retry-after": "2" }) };
  return Response.json(health, { status: health.status === "ok" ? 200 : 503, headers });
}

interface FileHead {
  /** Letters, digits, hyphens and dots. */
  name: string;
  type: string;
}

/** Answers with a file that is written while it is read: it may be larger than memory. */
export function respondWithFile(parts: AsyncGenerator<string>, { name, type }: FileHead): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // After an empty part, nothing would request the next one.
      let part = await parts.next();
      while (part.done !== true && part.value === "") part = await parts.next();
      if (part.done === true) controller.close();
      else controller.enqueue(encoder.encode(part.value));
    },
    cancel: () => void parts.return(undefined),
  });
  const headers = {
    "content-type": type,
    "content-disposition": `attachment; filename="${name}"`,
    "cache-control": "no-store",
  };
  return new Response(body, { headers });
}

export function toAddresses({
  PLATFORM_GATEWAY_URL,
}: Pick<Environment, "PLATFORM_GATEWAY_URL">): PlatformAddresses {
  return { gatewayUrl: PLATFORM_GATEWAY_URL };
}

/**
 * What `npm run build:cli` packed from the same sources as the platform, with this platform's addresses, so that a command line logs
 * in to the platform that it was installed from.
 */
export async function servePackage({
  environment,
}: {
  environment: Pick<Environment, "PLATFORM_GATEWAY_URL">;
}): Promise<Response> {
  const file = path.join(/* turbopackIgnore: true */ process.cwd(), ".build", "platform-app.tgz");
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new Problem(
      "NOT_FOUND",
      "The command line was not built. Run `npm run build:cli` on the platform.",
    );
  });
  const headers = {
    "content-type": "application/gzip",
    "content-disposition": 'attachment; filename="platform-app.tgz"',
    "cache-control": "public, max-age=300",
    "x-content-type-options": "nosniff",
  };
  const addresses = await packFile(
    `package/dist/${ADDRESSES_FILE}`,
    JSON.stringify(toAddresses(environment)),
  );
  return new Response(new Uint8Array(Buffer.concat([addresses, bytes])), { headers });
}

/** Two blocks of zeros. */
const TAR_END_BYTES = 1024;

/** The start of a gzipped tar: what is gzipped separately can be joined. The same text always gives the same bytes. */
async function packFile(name: string, text: string): Promise<Buffer> {
  const pack = tar.pack();
  pack.entry({ name, mode: 0o644, mtime: new Date(0) }, text);
  pack.finalize();
  const archive = await buffer(Readable.from(pack));
  return gzipSync(archive.subarray(0, -TAR_END_BYTES));
}
