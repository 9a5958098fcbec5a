import type { Redaction } from "./redact-secrets";

/** How much of a payload or an answer is stored for the console. */
export const STORED_BYTES = 16 * 1024;

/** How much of a text is searched for secrets. More than is stored, but less than 1 MiB: its index would take 100 MiB. */
const SEARCHED = 4 * STORED_BYTES;

/**
 * A text of an app or the core as it may be stored: without the state key and secrets that it echoes, and without NUL,
 * which PostgreSQL refuses. Cut last, so that the cut leaves no part of a secret.
 */
export function storableText(text: string | null, stateKey: string, secrets: Redaction): string | null {
  if (text === null) return null;
  const clean = withoutSecrets(withoutKey(text, stateKey), secrets).replaceAll("\0", "\uFFFD");
  const bytes = Buffer.from(clean);
  if (bytes.length <= STORED_BYTES) return clean;
  return `${bytes
    .subarray(0, STORED_BYTES)
    .toString("utf8")
    .replace(/\uFFFD+$/, "")}…`;
}

function withoutSecrets(text: string, redact: Redaction): string {
  return text.length <= SEARCHED ? redact(text) : `${redact(text.slice(0, SEARCHED), "end")}…`;
}

export function withoutKey(text: string, stateKey: string): string {
  return text.replaceAll(stateKey, "[state key]");
}
