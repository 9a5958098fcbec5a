/** Finds the customer that a request names, or refuses it. */
import { Problem } from "@/lib/contract/problem";
import type { LocalCustomer } from "../answers/customer-store";
import { findMissing } from "../answers/merge-answers";
import type { Emulator } from "./emulator";

export function findCustomer({ customers }: Emulator, id: string): LocalCustomer {
  const customer = customers.find(id);
  if (customer === undefined) throw new Problem("NOT_FOUND", "This customer doesn't exist.");
  return customer;
}

/** For calls, which the platform sends only to installations that are configured. */
export function findConfigured(emulator: Emulator, id: string): LocalCustomer {
  const customer = findCustomer(emulator, id);
  const issues = findMissing(customer, emulator.manifest);
  const [missing] = issues;
  if (missing === undefined) return customer;
  throw new Problem(
    "WRONG_STATE",
    `${customer.name} isn't configured: ${missing.message} Open ${emulator.url} and fill in its configuration.`,
    issues,
  );
}
