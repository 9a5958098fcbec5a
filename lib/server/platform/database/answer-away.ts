/**
 * The status of a page that can't be loaded because the database is away. Next answers 500 for every page that throws, and a page can't
 * choose its status. So it marks the request that it belongs to, and our server, which hands requests to Next, answers 503.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";

interface Request {
  isAway: boolean;
}

declare global {
  /** The server and Next's pages are bundles of their own in one process. */
  var platformRequests: AsyncLocalStorage<Request> | undefined;
}

const requests = (globalThis.platformRequests ??= new AsyncLocalStorage<Request>());

const RETRY_SECONDS = 5;

/** The request in progress failed because the database is away. */
export function markAway(): void {
  const request = requests.getStore();
  if (request !== undefined) request.isAway = true;
}

/**
 * Next prints the stack of each page that can't be loaded. Of those of requests that were marked, `report` is called instead.
 * @param printer what Next prints with: the console
 */
export function reportAway(printer: Pick<Console, "error">, report: (error: unknown) => void): void {
  const print = printer.error.bind(printer);
  printer.error = (...values: unknown[]) => {
    if (requests.getStore()?.isAway === true) report(values.find((value) => value instanceof Error));
    else print(...values);
  };
}

/** Answers a request with `handle`, and with 503 where that would be a 500 of a request that was marked. */
export function answerAway<Result>(response: ServerResponse, handle: () => Result): Result {
  const request = { isAway: false };
  let status = response.statusCode;
  Object.defineProperty(response, "statusCode", {
    configurable: true,
    get: () => status,
    set: (next: number) => {
      const isAway = next === 500 && request.isAway && !response.headersSent;
      status = isAway ? 503 : next;
      if (isAway) response.setHeader("retry-after", String(RETRY_SECONDS));
    },
  });
  return requests.run(request, handle);
}
