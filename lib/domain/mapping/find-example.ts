/**
 * The example in a hint, to show in the empty field: what is in backticks, what looks like a path, or what follows "such
 * as". Undefined if there is none.
 */
export function findExample(hint: string | undefined): string | undefined {
  for (const pattern of PATTERNS) {
    const found = pattern.exec(hint ?? "")?.[1]?.replace(/[.,;:]+$/, "");
    if (found !== undefined && found !== "") return found;
  }
  return undefined;
}

const PATTERNS = [
  /`([^`]+)`/,
  /(?:^|\s)(\$(?:\.|\[)\S+|[\w.-]+\[\S+\]\S*)/,
  /\b(?:such as|for example|e\.g\.|example:)[:,]?\s+(\S+)/i,
];
