/** Runs drills on the emulator's app, one at a time, and tells what each of their steps found. */
import type { Manifest } from "@/lib/contract/manifest";
import { Problem } from "@/lib/contract/problem";
import { planCalls } from "@/lib/domain/evidence/plan-calls";
import type { Supervisor } from "./app/supervise";
import type { createSender } from "./call-sender";
import type { DevSettings } from "./contract/core";
import { DRILL_NAMES, type DevDrill, type DrillName } from "./contract/drills";
import type { DevHistory } from "./dev-history";
import { runDrill } from "./drills/run-drill";
import type { DrillCall, Stage } from "./drills/stage";
import { listMarkers } from "./platform/configure";
import type { CustomerStore, LocalCustomer } from "./platform/customer-store";
import type { LocalCore } from "./platform/local-core";
import { prepareCall } from "./prepare-call";
import { listRoutes } from "./read-manifest";

interface DrillOptions {
  app: Supervisor;
  send: ReturnType<typeof createSender>;
  history: DevHistory;
  customers: CustomerStore;
  core: LocalCore;
  manifest: () => Manifest;
  settings: () => DevSettings;
  setSettings: (settings: DevSettings) => void;
  findProblem: () => Promise<string | undefined>;
  routeBase: (customer: LocalCustomer) => string;
  runDrillable: () => LocalCustomer[] | string;
}

/** A drill sends a few calls of each route; an app with many routes is judged by the first ones. */
const MOST_CALLS = 8;

export function createDrills(options: DrillOptions) {
  const { app, core, history, settings, setSettings } = options;
  const known = new Map<DrillName, DevDrill>(DRILL_NAMES.map((name) => [name, idle(name)]));
  let running: DrillName | undefined;
  const put = (drill: DevDrill) => {
    known.set(drill.name, drill);
    history.emit({ name: "drill", data: drill });
    return drill;
  };

  return {
    list: (): DevDrill[] => DRILL_NAMES.map((name) => known.get(name) ?? idle(name)),
    run: async (name: DrillName): Promise<DevDrill> => {
      if (running !== undefined)
        throw new Problem("WRONG_STATE", `The drill "${running}" is running. Wait until it has ended.`);
      running = name;
      const startedMs = performance.now();
      const before = settings();
      let drill = put({ ...idle(name), state: "running", startedAt: new Date().toISOString() });
      const ms = () => Math.round(performance.now() - startedMs);
      try {
        const found = options.runDrillable();
        if (typeof found === "string") return put({ ...drill, state: "skipped", verdict: found, ms: ms() });
        const verdict = await runDrill(
          name,
          createStage(found, (text, ok, detail) => {
            drill = put({ ...drill, steps: [...drill.steps, { text, ok, detail }] });
          }),
        );
        return put({ ...drill, ...verdict, ms: ms() });
      } finally {
        running = undefined;
        setSettings(before);
        if (known.get(name)?.state === "running")
          put({ ...drill, state: "failed", verdict: "The emulator could not finish the drill.", ms: ms() });
      }
    },
  };

  function createStage(pair: readonly LocalCustomer[], step: Stage["step"]): Stage {
    const manifest = options.manifest();
    const ids: string[][] = pair.map(() => []);
    const [one, other] = pair;
    if (one === undefined || other === undefined) throw new Error("a drill needs two customers");
    return {
      calls: listCalls(manifest),
      customers: [
        { name: one.name, markers: listMarkers(one, other, manifest) },
        { name: other.name, markers: listMarkers(other, one, manifest) },
      ],
      step,
      send: async (index, call, key) => {
        const customer = pair[index] ?? one;
        const route = listRoutes(manifest).find((each) => each.route === call.route);
        if (route === undefined) throw new Error(`the route ${call.route} is not declared`);
        const wanted = { name: call.name, method: call.method, path: call.path };
        const prepared = prepareCall(route, customer, manifest, options.routeBase(customer), wanted);
        const { call: done, raw } = await options.send(customer, manifest, prepared, {
          sender: "drill",
          key,
        });
        ids[index]?.push(done.id);
        const { fault, failure } = done;
        const reads = history.findCall(done.id)?.reads.length ?? 0;
        return { status: done.response?.status ?? null, fault, failure, body: raw, ms: done.ms ?? 0, reads };
      },
      countReads: (index) =>
        (ids[index] ?? []).reduce((sum, id) => sum + (history.findCall(id)?.reads.length ?? 0), 0),
      core: {
        set: (speed, coreDelayMs = settings().coreDelayMs) => setSettings({ core: speed, coreDelayMs }),
        requests: () => core.requests(),
      },
      app: {
        restart: () => app.restart("The drill restarts it.", { build: false }),
        kill: () => app.kill(),
        waitUntilReady: (ms) => app.waitUntilReady(ms),
        findProblem: options.findProblem,
      },
    };
  }
}

function listCalls(manifest: Manifest): DrillCall[] {
  return planCalls(manifest)
    .calls.slice(0, MOST_CALLS)
    .flatMap(({ kind, path, method, name, what }) => {
      const route = listRoutes(manifest).find(
        (each) => each.kind === kind && (each.path === path || each.path === path.replace(/sample$/, "*")),
      );
      return route === undefined ? [] : [{ kind, route: route.route, name, method, path, what }];
    });
}

function idle(name: DrillName): DevDrill {
  return { name, state: "idle", startedAt: null, ms: null, steps: [], verdict: null, fix: null };
}
