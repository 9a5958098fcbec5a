/** What the emulator lets a drill see and do. */
import type { Manifest } from "@/lib/contract/manifest";
import { listSettings } from "@/lib/contract/manifest-terms";
import { planCalls } from "@/lib/domain/evidence/plan-calls";
import type { LocalCustomer } from "../answers/customer-store";
import { policyHolderOf } from "../answers/products";
import { checkHealth } from "../app/check-health";
import { prepareCall } from "../calls/prepare-call";
import { sendCall } from "../calls/send-call";
import { changeSettings, type Emulator } from "../emulator/emulator";
import { findRoute, listRoutes } from "../emulator/list-routes";
import type { DrillCall, Stage } from "./stage";

/** A drill sends a few calls of each route; an app with many routes is judged by the first ones. */
const MOST_CALLS = 8;

/** A drill continues with the manifest and the customers that it began with, even if they change. */
export function setStage(
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
      const { call, raw } = await sendCall(emulator, customer, prepareCall(target, wanted), options);
      sent.push({ index, id: call.id });
      const { response, fault, failure, ms } = call;
      const status = response?.status ?? null;
      return { status, fault, failure, body: raw, ms: ms ?? 0, reads: countReads(call.id) };
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
  const { port } = app.status();
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
