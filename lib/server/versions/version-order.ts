import { Problem } from "@/lib/contract/problem";
import { bumpVersion, compareVersions } from "@/lib/domain/version";

/** Numbers only go up: throws `VERSION_EXISTS`, or `BAD_MANIFEST` for a number below the newest. */
export function requireNewest(number: string, earlier: readonly string[]): void {
  const newest = [...earlier].sort(compareVersions).at(-1);
  if (newest === undefined || compareVersions(number, newest) > 0) return;
  const mend = `Publish a higher one, such as ${bumpVersion(newest)}.`;
  if (earlier.includes(number)) {
    throw new Problem(
      "VERSION_EXISTS",
      `Version ${number} exists already; versions never change. The newest is ${newest}. ${mend}`,
    );
  }
  const message = `Version ${number} is below the newest one, ${newest}.`;
  throw new Problem("BAD_MANIFEST", `${message} ${mend}`, [
    { code: "VERSION_TOO_LOW", pointer: "/version", message, hint: mend, severity: "error" },
  ]);
}
