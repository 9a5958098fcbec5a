import type { ConfigurationCheckAnswer } from "@/lib/contract/configuration-check-answer";
import type { CheckResult } from "@/lib/contract/configuration-check";
import { settingPointer } from "./configuration";
import { oneLine } from "./one-line";

const LONGEST_MESSAGE = 500;
const CODE = "configuration-check";

/** Whether the app found it in a check. Such an issue keeps nobody from saving. */
export function isFoundByApp({ code }: { code: string }): boolean {
  return code === CODE;
}

/**
 * What pages show of an app's answer: plain text of bounded length, at the fields of settings that exist.
 * @param redact removes the secrets that the app received
 */
export function toCheckResult(
  { ok, issues }: ConfigurationCheckAnswer,
  settingNames: readonly string[],
  redact: (text: string) => string,
): CheckResult {
  if (ok) return { outcome: "PASSED" };
  const known = new Set(settingNames);
  return {
    outcome: "ISSUES",
    issues: issues.map(({ setting, message }) => ({
      code: CODE,
      pointer: setting !== undefined && known.has(setting) ? settingPointer(setting) : "",
      message: oneLine(redact(message), LONGEST_MESSAGE) || "The app gave no reason.",
    })),
  };
}
