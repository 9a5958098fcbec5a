/** How much of a payload or an answer the console keeps. */
export const KEPT_BYTES = 16 * 1024;

/**
 * What may be stored of a text that an app or the core wrote: without the state key, should the app echo it,
 * without NUL, which PostgreSQL cannot hold, and cut.
 */
export function keptText(text: string | null, stateKey: string): string | null {
  if (text === null) return null;
  const clean = withoutKey(text, stateKey).replaceAll("\0", "\uFFFD");
  const bytes = Buffer.from(clean);
  if (bytes.length <= KEPT_BYTES) return clean;
  return `${bytes
    .subarray(0, KEPT_BYTES)
    .toString("utf8")
    .replace(/\uFFFD+$/, "")}…`;
}

export function withoutKey(text: string, stateKey: string): string {
  return text.replaceAll(stateKey, "[state key]");
}
