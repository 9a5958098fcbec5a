import { Problem } from "./problem";

/** How deep lists and objects stand in each other at most: schemas walk them with functions that call themselves. */
export const JSON_DEPTH = 64;

/** The value of a request's body. Throws BAD_INPUT for what is not JSON, or is nested more than `JSON_DEPTH` deep. */
export function parseJsonBody(text: string): unknown {
  const value = parseJson(text);
  if (isShallow(value)) return value;
  throw new Problem(
    "BAD_INPUT",
    `The body has lists or objects nested more than ${JSON_DEPTH} deep. Send flatter JSON.`,
  );
}

/** Level by level, so that no depth breaks it. */
export function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > JSON_DEPTH) return false;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return true;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem("BAD_INPUT", "The body is not JSON.");
  }
}
