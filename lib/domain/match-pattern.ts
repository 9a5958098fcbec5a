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
