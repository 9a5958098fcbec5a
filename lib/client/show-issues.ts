import type { FieldPath, FieldValues, UseFormSetError } from "react-hook-form";
import { toFieldPath, ProblemError } from "./api";

/** Shows each issue at its form field, if there is one, and focuses the first. */
export function showIssues<Values extends FieldValues>(
  error: unknown,
  values: Values,
  setError: UseFormSetError<Values>,
): void {
  if (!(error instanceof ProblemError)) return;
  for (const [index, issue] of (error.body.issues ?? []).entries()) {
    const path = toFieldPath(issue);
    if (isPath(values, path))
      setError(path, { type: issue.code, message: issue.message }, { shouldFocus: index === 0 });
  }
}

/** The error to show above the form; undefined if every issue is shown at a field. */
export function withoutShownIssues(error: unknown, values: FieldValues): unknown {
  const issues = error instanceof ProblemError ? (error.body.issues ?? []) : [];
  return issues.length > 0 && issues.every((issue) => isPath(values, toFieldPath(issue))) ? undefined : error;
}

function isPath<Values extends FieldValues>(values: Values, path: string): path is FieldPath<Values> {
  let value: unknown = values;
  for (const part of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return false;
    value = Object.entries(value).find(([name]) => name === part)?.[1];
  }
  return path !== "";
}
