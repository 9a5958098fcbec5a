/**
 * What the platform's Pods are doing: one list, and then one watch, so that nothing is polled. The watch goes on from where it was cut;
 * if the server no longer knows that place (410), everything is listed again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type FailureLog, reportFailure, reportSuccess } from "../../platform/database/repeated-failures";
import { type Cluster, ClusterError, ClusterUnreachable, isClusterStatus, parseJson } from "./client";
import { type Pod, podShape } from "./pod";

/** The server ends each watch, so that one whose connection hangs is noticed. */
const WATCH_SECONDS = 30;
const SLACK_MS = 10_000;
const PAUSES_MS = [0, 500, 1_000, 2_000, 5_000] as const;
const FIRST_LIST_MS = 10_000;
/** A watch that was open for so long has worked, also if nothing happened. */
const LASTED_MS = 5_000;
const WATCHING = "watch the cluster's Pods";

/** What is older doesn't say anymore what runs. */
const STALE_MS = 60_000;

/** A line of a watch is one object. etcd stores none above 1.5 MB. */
const LONGEST_LINE = 4 * 1024 * 1024;

const listShape = z.object({
  metadata: z.object({ resourceVersion: z.string() }),
  items: z.array(z.unknown()),
});
const eventShape = z.object({ type: z.string(), object: z.unknown() });
const versionShape = z.object({ metadata: z.object({ resourceVersion: z.string() }) });
const failureShape = z.object({
  code: z.number().default(500),
  message: z.string().default("the watch failed"),
});

type Listener = (pod: Pod, isGone: boolean) => void;

export interface PodWatch {
  /** Resolves when it has the first list. */
  connected: Promise<void>;
  /** Throws if what it knows is too old, because the API server doesn't respond. */
  find(uid: string): Promise<Pod | undefined>;
  list(): Promise<Pod[]>;
  /** The first result of `look` that is not undefined; undefined if there is none in time. It is asked after each change. */
  until<Result>(look: () => Result | undefined, ms: number): Promise<Result | undefined>;
  /** What it knows now, however old. */
  peek(uid: string): Pod | undefined;
  /** @param listen gets each Pod that changed, with the last that is known of one that is gone */
  onChange(listen: Listener): () => void;
  end(): void;
}

export interface WatchOptions {
  namespace: string;
  log: FailureLog;
  labelSelector: () => Promise<string>;
  staleMs?: number;
  pausesMs?: readonly number[];
}

export function watchPods(
  cluster: Cluster,
  { namespace, log, labelSelector, staleMs = STALE_MS, pausesMs = PAUSES_MS }: WatchOptions,
): PodWatch {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const pods = new Map<string, Pod>();
  const listeners = new Set<Listener>();
  const ended = new AbortController();
  let version: string | undefined;
  let failures = 0;
  let lastFailure = "nothing was received yet";
  /** On the clock that nobody sets. */
  let freshAt = -Infinity;
  let noteConnected = () => {};
  const connected = new Promise<void>((resolve) => (noteConnected = resolve));

  function noteFresh(): void {
    freshAt = performance.now();
  }

  /** A list alone is no success: without a watch, everything would be listed again and again. */
  function noteWatched(): void {
    failures = 0;
    reportSuccess(log, WATCHING);
  }

  function tell(pod: Pod, isGone: boolean): void {
    for (const listen of [...listeners]) listen(pod, isGone);
  }

  function keep(pod: Pod): void {
    const { uid, resourceVersion } = pod.metadata;
    const known = pods.get(uid);
    pods.set(uid, pod);
    if (known?.metadata.resourceVersion !== resourceVersion) tell(pod, false);
  }

  function forget(uid: string, last: Pod | undefined): void {
    const known = last ?? pods.get(uid);
    if (!pods.delete(uid) || known === undefined) return;
    tell(known, true);
  }

  async function listAll(): Promise<void> {
    const query = { labelSelector: await labelSelector() };
    const { items, metadata } = listShape.parse(await cluster.send({ path, query }));
    const found = items.flatMap((item) => podShape.safeParse(item).data ?? []);
    const uids = new Set(found.map((pod) => pod.metadata.uid));
    for (const uid of [...pods.keys()]) if (!uids.has(uid)) forget(uid, undefined);
    found.forEach(keep);
    version = metadata.resourceVersion;
    noteFresh();
    noteConnected();
  }

  async function follow(from: string): Promise<void> {
    const query = {
      labelSelector: await labelSelector(),
      watch: "true",
      allowWatchBookmarks: "true",
      resourceVersion: from,
      timeoutSeconds: String(WATCH_SECONDS),
    };
    const chunks = await cluster.stream({ path, query }, WATCH_SECONDS * 1_000 + SLACK_MS, ended.signal);
    noteFresh();
    const openedAt = performance.now();
    try {
      for await (const line of splitLines(chunks)) {
        noteFresh();
        take(line);
        noteWatched();
      }
      noteFresh();
    } finally {
      if (performance.now() - openedAt >= LASTED_MS) noteWatched();
    }
  }

  /** A connection that was cut, and a server with too much to do, go on where they were. After anything else, only a list is sure. */
  function losesPlace(error: unknown): boolean {
    if (!(error instanceof ClusterError)) return error instanceof z.ZodError;
    return error.status < 500 ? error.status !== 429 : failures >= pausesMs.length;
  }

  function take(line: string): void {
    const { type, object } = eventShape.parse(parseJson(line));
    if (type === "ERROR") {
      const { code, message } = failureShape.parse(object);
      throw new ClusterError(code, "", message);
    }
    const pod = podShape.safeParse(object).data;
    if (type === "DELETED" && pod !== undefined) forget(pod.metadata.uid, pod);
    else if (type !== "BOOKMARK" && pod !== undefined) keep(pod);
    version = versionShape.parse(object).metadata.resourceVersion;
  }

  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        if (version === undefined) await listAll();
        if (version !== undefined) await follow(version);
      } catch (error) {
        if (ended.signal.aborted) return;
        lastFailure = error instanceof Error ? error.message : String(error);
        failures += 1;
        if (losesPlace(error)) version = undefined;
        const isOld = isClusterStatus(error, 410);
        const pause = isOld && failures === 1 ? 0 : (pausesMs[failures] ?? pausesMs.at(-1) ?? 0);
        const wanted = error instanceof ClusterError ? error.retryMs : 0;
        // Servers restart, and forget old places: once is nothing to tell.
        if (failures > 1 || (error instanceof ClusterError && !isOld))
          reportFailure(log, WATCHING, {
            err: error,
            level: "warn",
            message: "the cluster's Pods can't be watched",
          });
        await sleep(Math.max(pause, wanted), undefined, { signal: ended.signal }).catch(() => undefined);
      }
    }
  }

  let running: Promise<void> | undefined;
  const begin = () => {
    running ??= run();
  };

  async function requireFresh(): Promise<void> {
    begin();
    const first = new AbortController();
    await Promise.race([
      connected,
      sleep(FIRST_LIST_MS, undefined, { signal: first.signal }).catch(() => undefined),
    ]);
    first.abort();
    if (performance.now() - freshAt > staleMs) throw new ClusterUnreachable(lastFailure);
  }

  return {
    get connected() {
      begin();
      return connected;
    },
    find: async (uid) => {
      await requireFresh();
      return pods.get(uid);
    },
    list: async () => {
      await requireFresh();
      return [...pods.values()];
    },
    peek: (uid) => pods.get(uid),
    until: (look, ms) => {
      begin();
      return waitUntil(look, ms, listeners);
    },
    onChange: (listen) => {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    end: () => ended.abort(),
  };
}

function waitUntil<Result>(
  look: () => Result | undefined,
  ms: number,
  listeners: Set<Listener>,
): Promise<Result | undefined> {
  const now = look();
  if (now !== undefined) return Promise.resolve(now);
  return new Promise((resolve) => {
    const end = (result: Result | undefined) => {
      clearTimeout(timer);
      listeners.delete(again);
      resolve(result);
    };
    const again = () => {
      const result = look();
      if (result !== undefined) end(result);
    };
    const timer = setTimeout(() => end(undefined), ms);
    listeners.add(again);
  });
}

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let start = 0;
    for (let end = held.indexOf("\n"); end >= 0; end = held.indexOf("\n", start)) {
      if (end > start) yield held.subarray(start, end).toString("utf8");
      start = end + 1;
    }
    held = held.subarray(start);
    if (held.length > LONGEST_LINE) throw new ClusterError(413, "", "a line of the watch is too long");
  }
}
