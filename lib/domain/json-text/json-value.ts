/** Reads JSON values of unknown shape. */
export type Path = readonly (string | number)[];

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member or item; never an inherited one. */
export function getMember(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return typeof key === "number" ? (value[key] as unknown) : undefined;
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(getMember, value);
}

/** Compares two JSON values and ignores the order of members. Recursive: both must be as shallow as a manifest. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => sameValue(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && sameValue(one[key], other[key]));
}
