import { Problem } from "@/lib/contract/problem";
import { EVENT_STREAM_HEADERS, writeEvent, type ServerEvent } from "../live/server-events";

/**
 * Where a request for events goes on, and what ends it.
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
