import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { EVENT_STREAM_HEADERS, writeEvent, type ServerEvent } from "@/lib/server/live/server-events";

/** Sends events until they end or the client is gone. A client that reads slowly slows them down. */
export async function answerEvents(
  response: ServerResponse,
  events: AsyncGenerator<ServerEvent>,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, EVENT_STREAM_HEADERS);
  // So that the client knows that it is connected before anything changes.
  response.flushHeaders();
  for await (const event of events) {
    if (!response.write(writeEvent(event))) await once(response, "drain", { signal });
  }
  response.end();
}
