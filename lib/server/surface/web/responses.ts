import { readFile } from "node:fs/promises";
import path from "node:path";
import { Problem } from "@/lib/contract/platform/problem";
import { EVENT_STREAM_HEADERS, type ServerEvent, writeEvent } from "../../accounts/live-list";

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

/** What `npm run build:cli` packed from the same sources as the platform. */
export async function servePackage(): Promise<Response> {
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
  return new Response(new Uint8Array(bytes), { headers });
}
