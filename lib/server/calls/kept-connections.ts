/**
 * Connections to apps, which are reused for a moment, each for one request at a time: see docs/decisions/019. A request is never
 * written twice, because the app may have handled it although its connection broke. So none may be written on a connection that
 * the app is closing, and an app must show first that it keeps idle connections open:
 *
 * - unknown → on trial: with the first request. Its connection is not reused. Until the trial ends, each request gets its own.
 * - on trial → keeps: the connection was open and idle until the platform closed it.
 * - on trial → unknown: it was not established, or it ended in another way.
 * - keeps → unknown: the app closed a connection without notice.
 */
import { LRUCache } from "lru-cache";
import { Agent, type Dispatcher } from "undici";
import { connectApp, findReset, isReset } from "./connect-app";

/** Less than the shortest common default of servers that close idle connections: 2 s (gunicorn). Node's is 5 s. */
export const IDLE_MS = 1_000;
/**
 * The connection of a request with a larger body is not reused: it may fit into the buffers of the system while the app never reads
 * it, and the next request would wait behind it.
 */
export const KEPT_BODY_BYTES = 64 * 1024;
const ANSWER_BYTES = 1024 * 1024;
const HEADER_BYTES = 16 * 1024;

/** Deadlines are set for each request as a whole. */
const options: Agent.Options = {
  pipelining: 1,
  keepAliveTimeout: IDLE_MS,
  keepAliveMaxTimeout: IDLE_MS,
  // An app that announces a timeout of 1 s or less gets a new connection each time.
  keepAliveTimeoutThreshold: 1_000,
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: HEADER_BYTES,
  maxResponseSize: ANSWER_BYTES,
  connect: connectApp,
};

const kept = new Agent(options);
const trial = new Agent(options);
/** Closes each connection after its answer. */
const single = new Agent({ ...options, pipelining: 0 });

/** By origin. */
const apps = new LRUCache<string, "on trial" | "keeps">({ max: 10_000 });

/** What undici gives as the reason when it closes a connection itself. */
const CLOSED_BY_US = "UND_ERR_INFO";
const IDLE_TIMEOUT = "socket idle timeout";

trial.on("disconnect", ({ origin }, _targets, { code, message }) => {
  if (code === CLOSED_BY_US && message === IDLE_TIMEOUT) apps.set(origin, "keeps");
  else apps.delete(origin);
});
kept.on("disconnect", ({ origin }, _targets, { code }) => {
  if (code !== CLOSED_BY_US && apps.get(origin) === "keeps") apps.delete(origin);
});

/** Sends requests to apps. */
export const agent = single.compose(() => (order, handler) => {
  const { origin } = new URL(order.origin ?? "");
  const state = apps.get(origin);
  if (state === "on trial") return single.dispatch(order, new Guarded(handler, () => false));
  if (state === undefined) {
    apps.set(origin, "on trial");
    return trial.dispatch(
      order,
      new Guarded(handler, () => {
        apps.delete(origin);
        return false;
      }),
    );
  }
  // undici fails a request that waits for an idle connection that is reset, and opens another one if it is closed.
  const onUnwritten = (error: Error) => {
    if (!isReset(error)) return false;
    single.dispatch(order, new Guarded(handler, () => false));
    return true;
  };
  // Before undici writes on an idle connection, it lets immediates run, so that it has seen what the kernel knew. But those
  // of a callback of the poll phase run without a look at the kernel in between. Those of an immediate run after one.
  setImmediate(() => kept.dispatch(order, new Guarded(handler, onUnwritten)));
  return true;
});

/**
 * Passes everything on, apart from an error of a request of which nothing was written, if `onUnwritten` handles it. An answer without
 * a length ends with its connection; undici takes it as complete even if that was reset, although nobody knows what is missing.
 */
class Guarded implements Dispatcher.DispatchHandler {
  #isWritten = false;

  constructor(
    private readonly handler: Dispatcher.DispatchHandler,
    private readonly onUnwritten: (error: Error) => boolean,
  ) {}

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#isWritten = true;
    this.handler.onRequestStart?.(controller, context);
  }

  onRequestUpgrade(...upgrade: Parameters<NonNullable<Dispatcher.DispatchHandler["onRequestUpgrade"]>>) {
    this.handler.onRequestUpgrade?.(...upgrade);
  }

  onResponseStart(...head: Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>): void {
    this.handler.onResponseStart?.(...head);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(...end: Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseEnd"]>>): void {
    const reset = findReset();
    if (reset === undefined) this.handler.onResponseEnd?.(...end);
    else this.handler.onResponseError?.(end[0], reset);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#isWritten || !this.onUnwritten(error)) this.handler.onResponseError?.(controller, error);
  }
}
