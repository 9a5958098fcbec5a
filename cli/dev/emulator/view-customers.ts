/** The made-up customers as people see them, with what is missing in their configurations. */
import type { LocalCustomer } from "../answers/customer-store";
import { findMissing } from "../answers/merge-answers";
import { productsOf } from "../answers/products";
import type { DevCustomer } from "../contract/customers";
import { coreApiUrl } from "../platform/local-core";
import type { Emulator } from "./emulator";

export function listCustomers(emulator: Emulator): DevCustomer[] {
  return emulator.customers.list().map((customer) => viewCustomer(emulator, customer));
}

export function viewCustomer({ manifest, appUrl }: Emulator, customer: LocalCustomer): DevCustomer {
  const { id, name, tenantHostName, revision, productSet } = customer;
  const missing = findMissing(customer, manifest);
  return {
    ...{ id, name, tenantHostName, revision, missing },
    coreApiUrl: coreApiUrl(appUrl, customer),
    configured: missing.length === 0,
    products: productsOf(productSet).map((product) => product.name),
  };
}

/** To whoever follows the emulator, after customers, their answers or the manifest changed. */
export function tellCustomers(emulator: Emulator): void {
  emulator.history.emit({ name: "customers", data: listCustomers(emulator) });
}
