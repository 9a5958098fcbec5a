import type { FieldPath, FieldValues, UseFormSetError } from "react-hook-form";
import { fieldPathOf, ProblemError } from "./api";

/** Shows each issue of a refusal at its field, as far as the form has one; the first of them gets the focus. */
export function showIssues<Values extends FieldValues>(
  error: unknown,
  values: Values,
  setError: UseFormSetError<Values>,
): void {
  if (!(error instanceof ProblemError)) return;
  for (const [index, issue] of (error.body.issues ?? []).entries()) {
    const path = fieldPathOf(issue);
    if (isPath(values, path))
      setError(path, { type: issue.code, message: issue.message }, { shouldFocus: index === 0 });
  }
}

/** What is left to say above the form: nothing when each issue has its place at a field. */
export function withoutShown(error: unknown, values: FieldValues): unknown {
  const issues = error instanceof ProblemError ? (error.body.issues ?? []) : [];
  return issues.length > 0 && issues.every((issue) => isPath(values, fieldPathOf(issue))) ? undefined : error;
}

function isPath<Values extends FieldValues>(values: Values, path: string): path is FieldPath<Values> {
  let place: unknown = values;
  for (const part of path.split(".")) {
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, part)) return false;
    place = Object.entries(place).find(([name]) => name === part)?.[1];
  }
  return path !== "";
}
