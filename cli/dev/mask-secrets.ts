/** Removes secrets from what the app wrote, before anything shows it. */

/** Shorter ones would remove ordinary text. */
const SHORTEST = 4;

export interface Secret {
  name: string;
  value: string;
}

export function maskSecrets(text: string, secrets: readonly Secret[]): string {
  return secrets
    .filter(({ value }) => value.length >= SHORTEST)
    .reduce((masked, { name, value }) => masked.replaceAll(value, `[secret: ${name}]`), text)
    .replace(/\bpsk_[\w-]{100,}/g, "[state key]")
    .replace(/\beyJ[\w-]{20,}\.[\w-]{20,}\.[\w-]{20,}/g, "[token]");
}
