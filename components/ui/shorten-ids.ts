/** UUIDs, and hexadecimal digests of 128 bits and more. */
const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}/gi;

/**
 * `sha256:4f1c…` instead of 64 digits. It keeps both ends of each id: those that were made together start with the same
 * digits.
 */
export function shortenIds(text: string): string {
  return text.replace(IDS, (id) => `${id.slice(0, 8)}…${id.slice(-6)}`);
}
