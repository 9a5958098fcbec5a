/** What a rule finds, before its place in the source text is known. */
export type Path = readonly (string | number)[];

export interface Finding {
  code: string;
  path: Path;
  message: string;
  hint?: string;
  severity?: "error" | "warning";
  /** Where in the source text, for what has no path of its own, such as broken JSON. */
  offset?: number;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member; never one that an object inherits. */
export function memberOf(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return typeof key === "number" ? (value[key] as unknown) : undefined;
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(memberOf, value);
}

/** The records of an array of them, each with its path; empty when there is no array. */
export function recordsAt(value: unknown, path: Path): { path: Path; record: Record<string, unknown> }[] {
  const list = valueAt(value, path);
  if (!Array.isArray(list)) return [];
  return list.flatMap((record: unknown, index) =>
    isRecord(record) ? [{ path: [...path, index], record }] : [],
  );
}
