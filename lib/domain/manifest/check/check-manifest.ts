/** The only manifest validator: the editor, the command line, the publish API and the server all use it. */
import { manifest as manifestShape, type Manifest } from "@/lib/contract/manifest";
import { isError, type Issue } from "@/lib/contract/problem";
import { locateIssues } from "../../json-text/locate-issues";
import { listCutter, setAsideValues } from "./limit-value";
import { parseSource } from "./parse-source";
import { checkCore, checkDirectionMarks, checkIdentity, checkSettings, mayChangeDirection } from "./rules";
import { shapeIssues, unknownKeys } from "./shape-issues";

/** More than anyone fixes in one go; limits the answer to a hostile 1 MiB manifest. */
const MOST_ISSUES = 300;

const cutLongLists = listCutter(manifestShape);

export interface CheckedManifest {
  /** Set if no issue is an error. Contains unknown keys too. */
  manifest?: Manifest;
  /** In the order of the text. Lines and columns start at 1; columns count UTF-16 units. */
  issues: Issue[];
}

/** Finds all issues, not only the first. */
export function checkManifest(text: string): CheckedManifest {
  const source = parseSource(text);
  if (!source.isJson) return { issues: locateIssues(text, source.issues) };
  const value = cutLongLists(source.value);
  const { lean, putBack } = setAsideValues(value);
  const parsed = manifestShape.safeParse(lean);
  const found = withoutMisplacedValues([
    ...source.issues,
    ...(parsed.success ? [] : shapeIssues(parsed.error, value)),
    ...checkIdentity(value),
    ...checkSettings(value),
    ...checkCore(value),
    ...(mayChangeDirection(text) ? checkDirectionMarks(value) : []),
    ...unknownKeys(manifestShape, value),
  ]);
  const errors = found.filter(isError);
  const others = found.filter((issue) => !isError(issue));
  const issues = locateIssues(text, [...errors, ...others].slice(0, MOST_ISSUES));
  if (!parsed.success || errors.length > 0) return { issues };
  putBack(parsed.data);
  return { manifest: parsed.data, issues };
}

/** Values that must be removed need no other fix, such as "Add at least one". */
export function withoutMisplacedValues<Found extends Issue>(issues: readonly Found[]): readonly Found[] {
  const misplaced = issues.filter(({ code }) => code === "VALUES_NOT_ALLOWED");
  if (misplaced.length === 0) return issues;
  const pointers = new Set(misplaced.map(({ pointer }) => pointer));
  const list = /^\/app\/fields\/\d+\/values/;
  return issues.filter(
    ({ code, pointer }) => code === "VALUES_NOT_ALLOWED" || !pointers.has(list.exec(pointer)?.[0] ?? ""),
  );
}
