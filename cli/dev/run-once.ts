/** `platform-app dev --once`: everything that the emulator can check, for CI. */
import type { CliContext } from "../terminal/environment";
import { Failure, visible } from "../terminal/failure";
import type { DevCall } from "./contract/calls";
import { DRILL_NAMES, type DevDrill } from "./contract/drills";
import type { Emulator } from "./emulator";

/** Throws if the app doesn't become ready, a call fails, or a drill fails. */
export async function runOnce({ terminal }: CliContext, emulator: Emulator): Promise<void> {
  if (!(await emulator.start("The first start."))) throw notReady(emulator);
  for (const { id, configured } of emulator.listCustomers())
    if (!configured) await emulator.invent(id, "missing");
  const calls: DevCall[] = [];
  const [one, other] = emulator.listCustomers();
  const routes = emulator.manifest().routes.filter(({ kind }) => kind !== "lifecycle" && kind !== "endpoint");
  for (const { route } of routes)
    for (const customer of [one, other])
      if (customer !== undefined) calls.push(await emulator.call({ customerId: customer.id, route }));
  const hooks = emulator.history
    .calls()
    .filter(({ sender, failure }) => sender === "platform" && failure !== null);
  const drills: DevDrill[] = [];
  for (const name of DRILL_NAMES) drills.push(await emulator.runDrill(name));

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

function notReady(emulator: Emulator): Failure {
  const { exit } = emulator.instance();
  return new Failure("APP_NOT_READY", exit?.reason ?? "The app didn't become ready.", {
    next: exit === null ? [] : [exit.nextStep, ...exit.logTail.split("\n").filter((line) => line !== "")],
  });
}
