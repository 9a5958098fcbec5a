/** Made-up customers come and go. */
import { Problem } from "@/lib/contract/problem";
import type { DevCustomer } from "../contract/customers";
import type { Emulator } from "../emulator/emulator";
import { findCustomer } from "../emulator/find-customer";
import { tellCustomers, viewCustomer } from "../emulator/view-customers";
import { fillInCustomer } from "./configure-customer";
import { launchCustomer, sendHook } from "./launch-customers";

/** With made-up answers. */
export async function addCustomer(emulator: Emulator, name: string): Promise<DevCustomer> {
  const { app, customers } = emulator;
  const { id } = await customers.add(name);
  await fillInCustomer(emulator, id, "all");
  if (app.status().state === "ready") await launchCustomer(emulator, findCustomer(emulator, id));
  tellCustomers(emulator);
  return viewCustomer(emulator, findCustomer(emulator, id));
}

/** After its last hooks, whatever the app answers to them. */
export async function removeCustomer(emulator: Emulator, id: string): Promise<void> {
  const { app, customers } = emulator;
  const customer = findCustomer(emulator, id);
  if (customers.list().length === 1)
    throw new Problem("WRONG_STATE", "The last customer can't be removed. Add another one first.");
  if (customer.installed && app.status().state === "ready")
    for (const event of ["stop", "uninstall"]) await sendHook(emulator, customer, event);
  await customers.remove(id);
  tellCustomers(emulator);
}
