/** Saves the answers of a customer, and launches it once they are complete. */
import type { ConfigurationInput } from "@/lib/contract/installation";
import { inventAnswers } from "../answers/invent-answers";
import { saveAnswers } from "../answers/merge-answers";
import type { Emulator } from "../emulator/emulator";
import { findCustomer } from "../emulator/find-customer";
import { tellCustomers } from "../emulator/view-customers";
import { launchCustomer } from "./launch-customers";

/** Returns the new revision. */
export async function configureCustomer(
  emulator: Emulator,
  id: string,
  input: ConfigurationInput,
): Promise<number> {
  const { customers, manifest, app } = emulator;
  const changed = await customers.change(id, saveAnswers(findCustomer(emulator, id), manifest, input));
  tellCustomers(emulator);
  if (app.status().state === "ready") void launchCustomer(emulator, changed);
  return changed.revision;
}

/** The same with made-up answers. */
export function fillInCustomer(emulator: Emulator, id: string, which: "all" | "missing"): Promise<number> {
  const { customers, manifest } = emulator;
  const customer = findCustomer(emulator, id);
  const index = customers.list().indexOf(customer);
  return configureCustomer(emulator, id, inventAnswers(customer, manifest, index, which));
}
