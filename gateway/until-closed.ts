import type { ServerResponse } from "node:http";

/** Aborted when the client is gone. */
export function untilClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  return controller.signal;
}
