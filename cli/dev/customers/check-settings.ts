/** Lets the app check answers before they are saved. */
import { randomUUID } from "node:crypto";
import { configurationCheckAnswer } from "@/lib/contract/configuration-check-answer";
import type { CheckResult, ConfigurationCheckView } from "@/lib/contract/configuration-check";
import type { ConfigurationInput } from "@/lib/contract/installation";
import { listSettings } from "@/lib/contract/manifest-terms";
import { parseJson } from "@/lib/contract/parse-json";
import { Problem } from "@/lib/contract/problem";
import { toCheckResult } from "@/lib/domain/configuration-check";
import type { LocalCustomer } from "../answers/customer-store";
import { listSecrets, maskSecrets } from "../answers/mask-secrets";
import { saveAnswers } from "../answers/merge-answers";
import { prepareCheck } from "../calls/prepare-call";
import { sendCall, waitForRestart } from "../calls/send-call";
import type { Emulator } from "../emulator/emulator";
import { findCustomer } from "../emulator/find-customer";

/** Returns the id of the check. Answers that can't be saved are refused at once, as on the platform. */
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
  const answer = configurationCheckAnswer.parse(parseJson(sent.raw ?? ""));
  return toCheckResult(answer, names, (text) => maskSecrets(text, secrets));
}

function failed(reason: string): CheckResult {
  return { outcome: "FAILED", reason };
}
