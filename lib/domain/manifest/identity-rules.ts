import { splitAppName } from "@/lib/contract/names";
import { parseVersion } from "../version";
import { memberOf, type Finding } from "./finding";

/** The app's name and version. */
export function identityFindings(value: unknown): Finding[] {
  const findings: Finding[] = [];
  const name = memberOf(value, "name");
  if (typeof name === "string" && splitAppName(name) === undefined) {
    const hint =
      'Write it as "<org-name>/<app-name>", such as "acme/vin-lookup": lower-case letters, digits and single hyphens.';
    findings.push({ code: "BAD_NAME", path: ["name"], message: "This is no app name.", hint });
  }
  const version = memberOf(value, "version");
  if (typeof version === "string" && parseVersion(version) === undefined) {
    const hint = 'Write three numbers without leading zeros, each at most 999999, such as "1.0.0".';
    findings.push({ code: "BAD_VERSION", path: ["version"], message: "This is no version.", hint });
  }
  return findings;
}
