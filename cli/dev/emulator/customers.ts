/** Made-up customers come and go. */
import { randomUUID } from "node:crypto";
import {
  type CheckResult,
  configurationCheckAnswer,
  type ConfigurationCheckView,
  type ConfigurationInput,
} from "@/lib/contract/catalog/configuration";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { parsePayload, Problem } from "@/lib/contract/platform/problem";
import { toCheckResult } from "@/lib/domain/catalog/configuration";
import type { DevCustomer } from "../contract/calls";
import { findMissing, inventAnswers, listSecrets, maskSecrets, saveAnswers } from "./answers";
import type { LocalCustomer } from "./customer-store";
import { type Emulator, findCustomer } from "./emulator";
import { listRoutes, prepareCall, prepareCheck } from "./prepare-call";
import { sendCall, waitForRestart } from "./send-call";
import { tellCustomers, viewCustomer } from "./snapshot";

/** With made-up answers. */
export async function addCustomer(emulator: Emulator, name: string): Promise<DevCustomer> {
  const { app, customers } = emulator;
  const { id } = await customers.add(name);
  await fillInCustomer(emulator, id, "all");
  if (app.status.state === "ready") await launchCustomer(emulator, findCustomer(emulator, id));
  tellCustomers(emulator);
  return viewCustomer(emulator, findCustomer(emulator, id));
}

/** After its last hooks, whatever the app answers to them. */
export async function removeCustomer(emulator: Emulator, id: string): Promise<void> {
  const { app, customers } = emulator;
  const customer = findCustomer(emulator, id);
  if (customers.list().length === 1)
    throw new Problem("WRONG_STATE", "The last customer can't be removed. Add another one first.");
  if (customer.installed && app.status.state === "ready")
    for (const event of ["stop", "uninstall"]) await sendHook(emulator, customer, event);
  await customers.remove(id);
  tellCustomers(emulator);
}

/** Saves the answers of a customer, and launches it once they are complete. Returns the new revision. */
export async function configureCustomer(
  emulator: Emulator,
  id: string,
  input: ConfigurationInput,
): Promise<number> {
  const { customers, manifest, app } = emulator;
  const changed = await customers.change(id, saveAnswers(findCustomer(emulator, id), manifest, input));
  tellCustomers(emulator);
  if (app.status.state === "ready") void launchCustomer(emulator, changed);
  return changed.revision;
}

/** The same with made-up answers. */
export function fillInCustomer(emulator: Emulator, id: string, which: "all" | "missing"): Promise<number> {
  const { customers, manifest } = emulator;
  const customer = findCustomer(emulator, id);
  const index = customers.list().indexOf(customer);
  return configureCustomer(emulator, id, inventAnswers(customer, manifest, index, which));
}

/**
 * Lets the app check answers before they are saved. Returns the id of the check. Answers that can't be saved are refused at once, as on
 * the platform.
 */
export function startCheck(emulator: Emulator, customerId: string, input: ConfigurationInput): string {
  const customer = findCustomer(emulator, customerId);
  const unsaved = { ...customer, ...saveAnswers(customer, emulator.manifest, input) };
  const id = randomUUID();
  emulator.checks.set(id, undefined);
  void runCheck(emulator, id, unsaved);
  return id;
}

export function viewCheck({ checks }: Emulator, id: string): ConfigurationCheckView {
  if (!checks.has(id)) throw new Problem("NOT_FOUND", "This check doesn't exist.");
  const result = checks.get(id);
  return { state: result === undefined ? "CALLING" : "ENDED", result: result ?? null };
}

async function runCheck(emulator: Emulator, id: string, unsaved: LocalCustomer): Promise<void> {
  const { checks } = emulator;
  const result = await askApp(emulator, unsaved).catch((error: unknown) =>
    failed(error instanceof Problem ? error.detail : String(error)),
  );
  // It may have been canceled in the meantime.
  if (checks.has(id)) checks.set(id, result);
}

async function askApp(emulator: Emulator, unsaved: LocalCustomer): Promise<CheckResult> {
  const { manifest } = emulator;
  if (!(await waitForRestart(emulator))) return failed("The app isn't running. Its log shows why.");
  const sent = await sendCall(emulator, unsaved, prepareCheck(), { sender: "platform", isCheck: true });
  const { failure } = sent.call;
  if (failure !== null) return failed(`The app failed to check the settings. ${failure}`);
  const names = listSettings(manifest).map(({ name }) => name);
  const secrets = listSecrets(unsaved, manifest);
  const answer = configurationCheckAnswer.parse(parsePayload(sent.answer.body ?? ""));
  return toCheckResult(answer, names, (text) => maskSecrets(text, secrets));
}

function failed(reason: string): CheckResult {
  return { outcome: "FAILED", reason };
}

/** Builds and starts the app, and launches its customers. Resolves to whether it became ready. */
export async function startApp(emulator: Emulator, cause: string): Promise<boolean> {
  const { ready } = await emulator.app.restart(cause);
  if (ready) for (const customer of emulator.customers.list()) await launchCustomer(emulator, customer);
  return ready;
}

/** Sends the hooks that a configured customer has not had yet, and those that failed. */
async function launchCustomer(emulator: Emulator, customer: LocalCustomer): Promise<void> {
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
async function sendHook(emulator: Emulator, customer: LocalCustomer, event: string): Promise<boolean> {
  const { manifest, url } = emulator;
  const route = listRoutes(manifest).find(({ kind, title }) => kind === "lifecycle" && title === event);
  if (route === undefined) return true;
  const prepared = prepareCall({ route, customer, manifest, url });
  const { call } = await sendCall(emulator, customer, prepared, { sender: "platform" });
  return call.failure === null;
}
