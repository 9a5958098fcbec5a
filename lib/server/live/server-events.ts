/** Server-sent events, as web and gateway write them. */
export interface ServerEvent {
  event: string;
  id?: string;
  data?: unknown;
}

export const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // No proxy may collect or compress what has to arrive at once.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/** JSON has no line breaks, which would end the data. */
export function writeEvent({ event, id, data }: ServerEvent): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data ?? null)}\n\n`;
}
