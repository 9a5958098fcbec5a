/** `platform-app dev --once`: everything that the emulator can check, for CI. */
import type { CliContext } from "../../terminal/environment";
import { Failure, visible } from "../../terminal/failure";
import { callRoute } from "../calls/call-route";
import type { DevCall } from "../contract/calls";
import { DRILL_NAMES, type DevDrill } from "../contract/drills";
import { fillInCustomer } from "../customers/configure-customer";
import { startApp } from "../customers/launch-customers";
import { runDrill } from "../drills/run-drill";
import type { Emulator } from "../emulator/emulator";
import { listRoutes } from "../emulator/list-routes";
import { listCustomers } from "../emulator/view-customers";

/** Throws if the app doesn't become ready, a call fails, or a drill fails. */
export async function runOnce({ terminal }: CliContext, emulator: Emulator): Promise<void> {
  if (!(await startApp(emulator, "The first start."))) throw notReady(emulator);
  for (const { id, configured } of listCustomers(emulator))
    if (!configured) await fillInCustomer(emulator, id, "missing");
  const calls = await callEveryRoute(emulator);
  const hooks = emulator.history
    .calls()
    .filter(({ sender, failure }) => sender === "platform" && failure !== null);
  const drills: DevDrill[] = [];
  for (const name of DRILL_NAMES) drills.push(await runDrill(emulator, name));

  const failedCalls = [...hooks, ...calls].filter(({ failure }) => failure !== null);
  const failedDrills = drills.filter(({ state }) => state === "failed");
  const count = (state: DevDrill["state"]) => drills.filter((drill) => drill.state === state).length;
  const ok = failedCalls.length === 0 && failedDrills.length === 0;
  const counted = ["passed", "warned", "skipped", "failed"] as const;
  terminal.data({
    ...{ event: "done", ok, calls: calls.length, failedCalls: failedCalls.length },
    drills: Object.fromEntries(drills.map(({ name, state }) => [name, state])),
  });
  terminal.result(
    `${calls.length} calls, ${failedCalls.length} failed. Drills: ${counted.map((state) => `${count(state)} ${state}`).join(", ")}.`,
  );
  if (ok) return;
  const next = [
    ...failedCalls.map(({ request, customerName, failure }) =>
      visible(`${request.method} ${request.path} for ${customerName}: ${failure ?? ""}`),
    ),
    ...failedDrills.map(({ name, verdict }) => visible(`${name}: ${verdict ?? ""}`)),
  ];
  const code = failedDrills.length > 0 ? "DRILL_FAILED" : "CALL_FAILED";
  throw new Failure(code, "The app isn't ready to be published.", { next });
}

/** For two customers. Lifecycle hooks have been sent at the start, and endpoints are called by others. */
async function callEveryRoute(emulator: Emulator): Promise<DevCall[]> {
  const calls: DevCall[] = [];
  const customers = emulator.customers.list().slice(0, 2);
  const routes = listRoutes(emulator.manifest).filter(
    ({ kind }) => kind !== "lifecycle" && kind !== "endpoint",
  );
  for (const { route } of routes)
    for (const { id } of customers) calls.push(await callRoute(emulator, { customerId: id, route }));
  return calls;
}

function notReady({ app }: Emulator): Failure {
  const { exit } = app.status();
  return new Failure("APP_NOT_READY", exit?.reason ?? "The app didn't become ready.", {
    next: exit === null ? [] : [exit.nextStep, ...exit.logTail.split("\n").filter((line) => line !== "")],
  });
}
