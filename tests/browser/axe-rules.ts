/** How every test of appearance asks axe, and what it reads in the answer. */
import type { ElementContext, Result, RunOptions } from "axe-core";

/** React Aria's announcements name buttons that may be gone by now. */
export const AXE_CONTEXT: ElementContext = { include: [["html"]], exclude: [["[data-live-announcer]"]] };

/** Only violations are reported: axe builds selectors for everything else that it lists. */
const VIOLATIONS = { resultTypes: ["violations" as const] };

export const AXE_RULES: RunOptions = {
  ...VIOLATIONS,
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
};

/** Of what passes the rules in one theme: the other has the same elements in other colors. */
export const AXE_COLOR_RULES: RunOptions = {
  ...VIOLATIONS,
  runOnly: { type: "rule", values: ["color-contrast"] },
};

/** One line for each serious violation, with the elements that it is about. */
export function listSerious(violations: readonly Result[]): string[] {
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}
