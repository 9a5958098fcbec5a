/** Starts the app, and sends it the lifecycle hooks of its customers. */
import type { LocalCustomer } from "../answers/customer-store";
import { findMissing } from "../answers/merge-answers";
import { prepareCall } from "../calls/prepare-call";
import { sendCall } from "../calls/send-call";
import type { Emulator } from "../emulator/emulator";
import { listRoutes } from "../emulator/list-routes";

/** Builds and starts the app, and launches its customers. Resolves to whether it became ready. */
export async function startApp(emulator: Emulator, cause: string): Promise<boolean> {
  const { ready } = await emulator.app.restart(cause);
  if (ready) for (const customer of emulator.customers.list()) await launchCustomer(emulator, customer);
  return ready;
}

/** Sends the hooks that a configured customer has not had yet, and those that failed. */
export async function launchCustomer(emulator: Emulator, customer: LocalCustomer): Promise<void> {
  const { launches, manifest } = emulator;
  if (findMissing(customer, manifest).length > 0) return;
  const launch = launches.get(customer.id) ?? sendHooks(emulator, customer);
  launches.set(customer.id, launch);
  if (!(await launch)) launches.delete(customer.id);
}

async function sendHooks(emulator: Emulator, customer: LocalCustomer): Promise<boolean> {
  const { customers } = emulator;
  const { id, installed } = customer;
  if (!installed) {
    const isInstalled = await sendHook(emulator, customer, "install");
    // It may have been removed in the meantime.
    if (customers.find(id) === undefined) return false;
    if (isInstalled) await customers.change(id, { installed: true });
  }
  return sendHook(emulator, customers.find(id) ?? customer, "start");
}

/** Resolves to whether it succeeded, or is not declared. */
export async function sendHook(emulator: Emulator, customer: LocalCustomer, event: string): Promise<boolean> {
  const { manifest, url } = emulator;
  const route = listRoutes(manifest).find(({ kind, title }) => kind === "lifecycle" && title === event);
  if (route === undefined) return true;
  const prepared = prepareCall({ route, customer, manifest, url });
  const { call } = await sendCall(emulator, customer, prepared, { sender: "platform" });
  return call.failure === null;
}
