/**
 * Whether a pattern of the manifest (`policy.issued`, `policy.*`) names this dotted event type or operation.
 * `*` stands for exactly one part; as the last part, for one or more.
 */
export function matchPattern(pattern: string, name: string): boolean {
  const wanted = pattern.split(".");
  const parts = name.split(".");
  const open = wanted.at(-1) === "*";
  if (open ? parts.length < wanted.length : parts.length !== wanted.length) return false;
  return wanted.every((part, place) => part === "*" || part === parts[place]);
}
