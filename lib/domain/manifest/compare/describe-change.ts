import type { ManifestChange } from "./compare-manifests";

const NOUNS = {
  app: "The app's",
  setting: "The setting",
  mapping: "The mapping field",
  webhook: "The webhook",
  autofill: "The autofill",
  rater: "The external rater",
  endpoint: "The endpoint",
  lifecycle: "The lifecycle hook",
} as const satisfies Record<ManifestChange["kind"], string>;

/** One sentence, for issues and the command line. */
export function describeChange({ kind, change, name, title, details }: ManifestChange): string {
  const members = details.map(({ member }) => member).join(", ");
  const known = title === "" || title === name ? `"${name}"` : `"${title}" (${name})`;
  return `${NOUNS[kind]} ${known} was ${change}${change === "changed" && members !== "" ? `: ${members}` : ""}.`;
}
