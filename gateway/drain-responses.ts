import type { ServerResponse } from "node:http";

/** Tells clients that the gateway is stopping: with each response from then on, and with those in progress. */
export interface Drain {
  track: (response: ServerResponse) => void;
  begin: () => void;
  isDraining: () => boolean;
}

export function createDrain(): Drain {
  const inProgress = new Set<ServerResponse>();
  let isDraining = false;
  return {
    track: (response) => {
      if (isDraining) return announceClose(response);
      inProgress.add(response);
      response.once("close", () => inProgress.delete(response));
    },
    begin: () => {
      isDraining = true;
      for (const response of inProgress) announceClose(response);
    },
    isDraining: () => isDraining,
  };
}

/** So that the client sends its next request on another connection, to another gateway. */
function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}
