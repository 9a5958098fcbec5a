import type { IncomingMessage, ServerResponse } from "node:http";
import type { Platform } from "@/lib/server/platform/platform";

export interface Exchange {
  platform: Platform;
  request: IncomingMessage;
  response: ServerResponse;
  /** Values of the pattern's `<…>` placeholders, in order. */
  parts: string[];
  query: URLSearchParams;
  /** The gateway got a signal to end. */
  isDraining: boolean;
}
