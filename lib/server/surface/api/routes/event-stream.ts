/** Routes that answer with server-sent events. */
import { once } from "node:events";
import * as z from "zod";
import { Problem } from "@/lib/contract/platform/problem";
import {
  EVENT_STREAM_HEADERS,
  type Following,
  type ServerEvent,
  writeEvent,
} from "../../../accounts/live-list";
import { type Exchange, untilClosed } from "./exchange";

export const STREAM =
  "Server-sent events. `changes` has what was added as its data; with `more`, so much changed that the list must be read " +
  "again. `beat` says that nothing changed, at least every five seconds. `end` says that the API key no longer works. After a " +
  "broken connection, send the last event's ID as `Last-Event-ID`: nothing is lost or repeated within ten minutes.";

interface Events {
  events: AsyncGenerator<ServerEvent>;
  /** Aborted when the client is gone. */
  signal: AbortSignal;
}

/** @param example the data of an event */
export function eventStream(example: object) {
  return {
    content: {
      type: "text/event-stream",
      schema: z.string(),
      example: `event: changes\nid: 1769860800000.5:5:\ndata: ${JSON.stringify(example)}\n\n`,
    },
    send: sendEvents,
  };
}

/** Sends events until they end or the client is gone. A client that reads slowly slows them down. */
async function sendEvents({ response }: Exchange, status: number, { events, signal }: Events): Promise<void> {
  response.writeHead(status, EVENT_STREAM_HEADERS);
  // So that the client knows that it is connected before anything changes.
  response.flushHeaders();
  for await (const event of events) {
    if (!response.write(writeEvent(event))) await once(response, "drain", { signal });
  }
  response.end();
}

/** Where a stream goes on, and what ends it. Throws UNAVAILABLE if the gateway is stopping: another one takes over. */
export function follow({ request, response, isDraining }: Exchange, after: string | undefined): Following {
  if (isDraining) throw new Problem("UNAVAILABLE", "This gateway is restarting. Connect again in a moment.");
  const last = request.headers["last-event-id"];
  return { after: typeof last === "string" ? last : after, signal: untilClosed(response) };
}
