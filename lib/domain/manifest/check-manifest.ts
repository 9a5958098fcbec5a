/** The one validator of manifests: for the editor, the command line, the publish API and the server. */
import { manifest as manifestShape, type Manifest } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { coreFindings } from "./core-rules";
import { cutLists } from "./cut-lists";
import type { Finding } from "./finding";
import { identityFindings } from "./identity-rules";
import { locate } from "./locate";
import { parseSource } from "./parse-source";
import { settingFindings } from "./setting-rules";
import { shapeFindings } from "./shape-findings";
import { shownTextFindings } from "./shown-text-rules";
import { findUnknownKeys } from "./unknown-keys";

/** More than anybody mends in one go; a hostile megabyte yields no larger answer than this. */
const MOST_ISSUES = 300;

export interface CheckedManifest {
  /** Present when no issue is an error. Unknown keys are in it. */
  manifest?: Manifest;
  /** In the order of the text. Lines and columns start at 1; columns count UTF-16 units. */
  issues: Issue[];
}

/** Finds everything that is wrong, not only the first. */
export function checkManifest(text: string): CheckedManifest {
  const source = parseSource(text);
  if (source.tree === undefined) return { issues: locate(text, undefined, source.findings) };
  const { tree } = source;
  const value = cutLists(manifestShape, source.value);
  const parsed = manifestShape.safeParse(value);
  const findings = [
    ...source.findings,
    ...(parsed.success ? [] : shapeFindings(parsed.error, value)),
    ...identityFindings(value),
    ...settingFindings(value),
    ...coreFindings(value),
    ...shownTextFindings(value),
    ...findUnknownKeys(manifestShape, value),
  ];
  const issues = locate(text, tree, errorsFirst(findings).slice(0, MOST_ISSUES));
  const valid = parsed.success && !findings.some(isError);
  return valid ? { manifest: parsed.data, issues } : { issues };
}

function errorsFirst(findings: readonly Finding[]): Finding[] {
  return [...findings.filter(isError), ...findings.filter((finding) => !isError(finding))];
}

function isError(finding: Finding): boolean {
  return finding.severity !== "warning";
}
