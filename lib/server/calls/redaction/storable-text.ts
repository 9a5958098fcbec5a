import type { Redaction } from "./redact-secrets";

/** How much of a payload or an answer the console keeps. */
export const KEPT_BYTES = 16 * 1024;

/** How much of a text is searched for secrets: more than is kept, and not a megabyte, whose index takes a hundred. */
const SEARCHED = 4 * KEPT_BYTES;

/**
 * What may be stored of a text that an app or the core wrote: without the state key and the secrets, should the app echo
 * them, without NUL, which PostgreSQL cannot hold, and cut. The cut comes last: it would leave the beginning of a secret.
 */
export function storableText(text: string | null, stateKey: string, secrets: Redaction): string | null {
  if (text === null) return null;
  const clean = withoutSecrets(withoutKey(text, stateKey), secrets).replaceAll("\0", "\uFFFD");
  const bytes = Buffer.from(clean);
  if (bytes.length <= KEPT_BYTES) return clean;
  return `${bytes
    .subarray(0, KEPT_BYTES)
    .toString("utf8")
    .replace(/\uFFFD+$/, "")}…`;
}

function withoutSecrets(text: string, redact: Redaction): string {
  return text.length <= SEARCHED ? redact(text) : `${redact(text.slice(0, SEARCHED), "end")}…`;
}

export function withoutKey(text: string, stateKey: string): string {
  return text.replaceAll(stateKey, "[state key]");
}
