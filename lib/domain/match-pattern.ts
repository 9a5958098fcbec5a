/**
 * Whether a manifest's pattern (`policy.issued`, `policy.*`) matches a dotted event type or operation. `*` matches one
 * part; as the last part, one or more.
 */
export function matchPattern(pattern: string, name: string): boolean {
  const wanted = pattern.split(".");
  const parts = name.split(".");
  const open = wanted.at(-1) === "*";
  if (open ? parts.length < wanted.length : parts.length !== wanted.length) return false;
  return wanted.every((part, index) => part === "*" || part === parts[index]);
}

/**
 * The rule of `matchPattern` seen from the name, for a database that looks for patterns: the source of a regular expression,
 * for JavaScript and PostgreSQL, that matches the patterns of a name. Nested from the last part to the first, so that it is
 * no longer than the name itself, up to a factor.
 */
export function patternsMatching(name: string): string {
  const parts = name.split(".").map((part) => part.replace(/[^\w-]/g, "\\$&"));
  const nested = parts.reduceRight(
    (rest, part) => (rest === "" ? `(?:\\*|${part})` : `(?:\\*|(?:\\*|${part})\\.${rest})`),
    "",
  );
  return `^${nested}$`;
}

export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchPattern(pattern, name));
}

/**
 * Whether a route that declares these operations accepts a call of `operation`, which may be missing. A route that
 * declares none accepts all calls; one that declares `*` also accepts calls that name no operation.
 */
export function acceptsOperation(declared: readonly string[], operation: unknown): boolean {
  if (declared.length === 0 || declared.includes("*")) return true;
  return typeof operation === "string" && matchesAny(declared, operation);
}
