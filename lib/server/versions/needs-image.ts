import type { Manifest } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import type { ManifestChange } from "@/lib/domain/manifest/compare-manifests";
import { memberOf, valueAt, type Finding, type Path } from "@/lib/domain/manifest/finding";
import { locate } from "@/lib/domain/manifest/locate";
import { LIST_OF } from "@/lib/domain/manifest/outline-manifest";

const NOUN_OF = {
  app: "The app's",
  setting: "The setting",
  mapping: "The mapping field",
  webhook: "The webhook",
  autofill: "The autofill",
  rater: "The external rater",
  lifecycle: "The lifecycle hook",
} as const satisfies Record<ManifestChange["kind"], string>;

/** One issue a change that the image's code may depend on, at the entry in the draft's text. */
export function needsImageIssues(
  text: string,
  draft: Manifest,
  changes: readonly ManifestChange[],
  name: string,
): Issue[] {
  const hint = `Build an image with it and publish it: platform-app publish ${name}:latest`;
  const findings = changes
    .filter(({ needsImage }) => needsImage)
    .map((change): Finding => ({
      code: "NEEDS_IMAGE",
      path: pathOf(draft, change),
      message: says(change),
      hint,
    }));
  return locate(text, findings);
}

function says({ kind, change, name, title, details }: ManifestChange): string {
  const members = details.map(({ member }) => member).join(", ");
  const known = title === "" || title === name ? `"${name}"` : `"${title}" (${name})`;
  return `${NOUN_OF[kind]} ${known} was ${change}${change === "changed" && members !== "" ? `: ${members}` : ""}.`;
}

/** Of what was removed: the list where it was. What changed of the app as a whole is everywhere. */
function pathOf(draft: Manifest, { kind, name }: ManifestChange): Path {
  if (kind === "app") return [];
  const list = valueAt(draft, LIST_OF[kind]);
  const index = Array.isArray(list) ? list.findIndex((entry: unknown) => isKnownBy(entry, name)) : -1;
  return index === -1 ? LIST_OF[kind] : [...LIST_OF[kind], index];
}

function isKnownBy(entry: unknown, name: string): boolean {
  return entry === name || memberOf(entry, "name") === name || memberOf(entry, "path") === name;
}
