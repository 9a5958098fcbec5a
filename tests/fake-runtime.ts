import type { Runtimes } from "@/lib/server/runtime/engines/choose-runtime";
import type { Ending, Runtime, StartOrder, Stopped, Usage } from "@/lib/server/runtime/engines/runtime";
import { givenApp, type Respond } from "./fake-app";

type App = Awaited<ReturnType<typeof givenApp>>;

/** A runtime in this process: each instance is an HTTP server on loopback, which a test can crash. */
export function fakeRuntimes(respond: Respond, name: Runtime["name"] = "process") {
  const running = new Map<string, { app: App; versionId: string; exit?: Ending; leaving?: string }>();
  const orders: StartOrder[] = [];
  const watchers = new Set<(handle: string) => void>();
  const fake = {
    /** How the next instances answer. */
    respond,
    /** How apps end when they are stopped. */
    stopped: "ended" as Stopped,
    /** Its instances answer their own machine. */
    healthyThere: false,
    /** What its instances use. */
    usage: (_handle: string): Usage | undefined => undefined,
    orders,
    /** Everything that is not stopped, newest last. */
    handles: () => [...running.keys()],
    app: (handle = [...running.keys()].at(-1) ?? "") => {
      const found = running.get(handle);
      if (found === undefined) throw new Error("nothing runs");
      return found.app;
    },
    /** Says that something else ends it soon. It still answers. */
    leave: (handle = [...running.keys()].at(-1) ?? "") => {
      const found = running.get(handle);
      if (found === undefined) throw new Error("nothing runs");
      found.leaving = "was moved, because its node is being drained";
      for (const report of watchers) report(handle);
    },
    /** Ends it like a crash: it can be inspected until it is stopped. */
    crash: (handle = [...running.keys()].at(-1) ?? "") => {
      const found = running.get(handle);
      if (found === undefined) throw new Error("nothing runs");
      found.exit = { code: "EXITED", reason: "exited with code 1", exitCode: 1 };
      found.app.server.close();
      found.app.server.closeAllConnections();
      for (const report of watchers) report(handle);
    },
  };
  const runtime: Runtime = {
    name,
    isolates: name !== "process",
    start: async (order) => {
      orders.push(order);
      const app = await givenApp(fake.respond);
      const handle = `fake-${name}-${orders.length}`;
      running.set(handle, { app, versionId: order.versionId });
      return { handle, origin: app.origin };
    },
    stop: async (handle) => {
      running.get(handle)?.app.server.close();
      running.get(handle)?.app.server.closeAllConnections();
      running.delete(handle);
      return fake.stopped;
    },
    inspect: async (handle) => {
      const found = running.get(handle);
      if (found === undefined) return { running: false, code: "REMOVED", reason: "is gone", exitCode: null };
      if (found.exit !== undefined) return { running: false, ...found.exit };
      const { leaving, app } = found;
      const { healthyThere } = fake;
      return { running: true, origin: app.origin, healthyThere, ...(leaving !== undefined && { leaving }) };
    },
    logTail: async () => "the log's end",
    followLog: async function* () {},
    usage: async (handle) => fake.usage(handle),
    listening: async () => ({ port: 8080, listeners: [{ port: 3000, loopback: true, family: 4 }] }),
    watchChanges: (report) => {
      watchers.add(report);
      return { connected: Promise.resolve(), stop: () => void watchers.delete(report) };
    },
    list: async () => [...running].map(([handle, { versionId }]) => ({ handle, versionId })),
    close: async () => [],
  };
  return Object.assign(fake, {
    runtimes: {
      all: [runtime],
      byName: () => runtime,
      forBundle: async () => runtime,
      findIsolating: async () => undefined,
      describe: async () => [],
    } satisfies Runtimes,
  });
}
