/** The one validator of manifests: for the editor, the command line, the publish API and the server. */
import { manifest as manifestShape, type Manifest } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { coreFindings } from "./core-rules";
import { listCutter } from "./cut-lists";
import type { Finding } from "./finding";
import { identityFindings } from "./identity-rules";
import { locate } from "./locate";
import { parseSource } from "./parse-source";
import { setAsideValues } from "./set-aside-values";
import { settingFindings } from "./setting-rules";
import { shapeFindings } from "./shape-findings";
import { mayTurn, shownTextFindings } from "./shown-text-rules";
import { findUnknownKeys } from "./unknown-keys";

/** More than anybody mends in one go; a hostile megabyte yields no larger answer than this. */
const MOST_ISSUES = 300;

const cutLongLists = listCutter(manifestShape);

export interface CheckedManifest {
  /** Present when no issue is an error. Unknown keys are in it. */
  manifest?: Manifest;
  /** In the order of the text. Lines and columns start at 1; columns count UTF-16 units. */
  issues: Issue[];
}

/** Finds everything that is wrong, not only the first. */
export function checkManifest(text: string): CheckedManifest {
  const source = parseSource(text);
  if (!source.isJson) return { issues: locate(text, source.findings) };
  const value = cutLongLists(source.value);
  const { lean, putBack } = setAsideValues(value);
  const parsed = manifestShape.safeParse(lean);
  const findings = [
    ...source.findings,
    ...(parsed.success ? [] : shapeFindings(parsed.error, value)),
    ...identityFindings(value),
    ...settingFindings(value),
    ...coreFindings(value),
    ...(mayTurn(text) ? shownTextFindings(value) : []),
    ...findUnknownKeys(manifestShape, value),
  ];
  const issues = locate(text, errorsFirst(findings).slice(0, MOST_ISSUES));
  if (!parsed.success || findings.some(isError)) return { issues };
  putBack(parsed.data);
  return { manifest: parsed.data, issues };
}

function errorsFirst(findings: readonly Finding[]): Finding[] {
  return [...findings.filter(isError), ...findings.filter((finding) => !isError(finding))];
}

function isError(finding: Finding): boolean {
  return finding.severity !== "warning";
}
