/** Runs drills on the emulator's app, one at a time, and says what each of their steps found. */
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";
import { planCalls } from "@/lib/domain/moderation/plan-evidence";
import { type DevDrill, DRILL_NAMES, type DrillName } from "../contract/drills";
import { findMissing } from "./answers";
import { type LocalCustomer, policyHolderOf } from "./customer-store";
import { changeSettings, type Emulator } from "./emulator";
import { drillBadKey, drillTwoCustomers } from "./key-drills";
import { drillKill, drillRestart, drillSlowCore } from "./outage-drills";
import { findRoute, listRoutes, prepareCall } from "./prepare-call";
import { sendCall } from "./send-call";
import { type DrillCall, skipped, type Stage, type Verdict } from "./stage";
import { checkHealth } from "./supervise";

const JUDGES: Record<DrillName, (stage: Stage) => Promise<Verdict>> = {
  "slow-core": drillSlowCore,
  "expired-key": (stage) => drillBadKey(stage, "expired"),
  "unknown-key": (stage) => drillBadKey(stage, "unknown"),
  "two-customers": drillTwoCustomers,
  restart: drillRestart,
  kill: drillKill,
};

/** Returns once it has ended. Throws WRONG_STATE while another one runs. */
export async function runDrill(emulator: Emulator, name: DrillName): Promise<DevDrill> {
  const { drills, history, settings } = emulator;
  const running = [...drills.values()].find(({ state }) => state === "running");
  if (running !== undefined)
    throw new Problem("WRONG_STATE", `The drill "${running.name}" is running. Wait until it has ended.`);
  const startedMs = performance.now();
  let drill = idle(name);
  const report = (changes: Partial<DevDrill>) => {
    drill = { ...drill, ...changes };
    drills.set(name, drill);
    history.emit({ name: "drill", data: drill });
    return drill;
  };
  const end = (verdict: Verdict) => report({ ...verdict, ms: Math.round(performance.now() - startedMs) });

  report({ state: "running", startedAt: new Date().toISOString() });
  try {
    const pair = choosePair(emulator);
    if (typeof pair === "string") return end(skipped(pair));
    const stage = setStage(emulator, pair, (text, ok, detail) => {
      report({ steps: [...drill.steps, { text, ok, detail }] });
    });
    return end(await JUDGES[name](stage));
  } finally {
    changeSettings(emulator, settings);
    if (drill.state === "running")
      end({ state: "failed", verdict: "The emulator could not finish the drill.", fix: null });
  }
}

/** Before any of them ran. */
export function idleDrills(): Map<DrillName, DevDrill> {
  return new Map(DRILL_NAMES.map((name) => [name, idle(name)]));
}

function idle(name: DrillName): DevDrill {
  return { name, state: "idle", startedAt: null, ms: null, steps: [], verdict: null, fix: null };
}

/** Two customers whose calls can be sent, or what keeps a drill from running. */
function choosePair({
  app,
  customers,
  manifest,
}: Emulator): readonly [LocalCustomer, LocalCustomer] | string {
  if (app.status.state !== "ready") return "The app isn't ready. Fix that first.";
  const [one, other] = customers.list().filter((customer) => findMissing(customer, manifest).length === 0);
  return one === undefined || other === undefined
    ? "A drill needs two customers with all required answers. Fill them in, or add a customer."
    : [one, other];
}

/** A drill sends a few calls of each route; an app with many routes is judged by the first ones. */
const MOST_CALLS = 8;

/**
 * What the emulator lets a drill see and do. A drill continues with the manifest and the customers that it began with, even if they
 * change.
 */
function setStage(
  emulator: Emulator,
  [one, other]: readonly [LocalCustomer, LocalCustomer],
  step: Stage["step"],
): Stage {
  const { app, core, history, manifest, url } = emulator;
  const sent: { index: number; id: string }[] = [];
  const countReads = (id: string) => history.findCall(id)?.reads.length ?? 0;
  return {
    calls: listCalls(manifest),
    customers: [
      { name: one.name, markers: listMarkers(one, other, manifest) },
      { name: other.name, markers: listMarkers(other, one, manifest) },
    ],
    step,
    send: async (index, { route, ...wanted }, key) => {
      const customer = index === 0 ? one : other;
      const target = { route: findRoute(manifest, route), customer, manifest, url };
      const options = { sender: "drill", manifest, key } as const;
      const { call, answer } = await sendCall(emulator, customer, prepareCall(target, wanted), options);
      sent.push({ index, id: call.id });
      const { response, fault, failure, ms } = call;
      const status = response?.status ?? null;
      return { status, fault, failure, body: answer.body, ms: ms ?? 0, reads: countReads(call.id) };
    },
    countReads: (index) =>
      sent.filter((each) => each.index === index).reduce((sum, { id }) => sum + countReads(id), 0),
    core: {
      set: (speed, coreDelayMs = emulator.settings.coreDelayMs) =>
        void changeSettings(emulator, { core: speed, coreDelayMs }),
      requests: () => core.requests(),
    },
    app: {
      restart: () => app.restart("The drill restarts it.", { build: false }),
      kill: () => app.kill(),
      waitUntilReady: (ms) => app.waitUntilReady(ms),
      findProblem: () => findProblem(emulator),
    },
  };
}

/** What is wrong with the app; undefined if it is healthy. */
async function findProblem({ app }: Emulator): Promise<string | undefined> {
  const { port } = app.status;
  if (port === null) return "The app isn't running.";
  const { problem } = await checkHealth(port);
  return problem ?? undefined;
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

/** Texts that only this customer's state and core contain, compared with another customer. */
function listMarkers(customer: LocalCustomer, other: LocalCustomer, manifest: Manifest): string[] {
  const values = listSettings(manifest)
    .filter(({ type }) => type !== "Select")
    .flatMap(({ name }) => {
      const own = customer.settings[name]?.value;
      return own !== undefined && own.length >= 4 && own !== other.settings[name]?.value ? [own] : [];
    });
  return [...values, customer.tenantHostName, policyHolderOf(customer.name)];
}
