/** A core's call as a command for a shell. The credential is a variable: it is never in the text. */

/** Any POSIX shell reads the result as one word, equal to `text`. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Characters that a terminal obeys, or that change the direction of the text around them. In JSON, only strings have them. */
const UNSAFE = /[\u0080-\u009F\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g;

/** The same JSON, safe to paste into a terminal. */
function escapeUnsafe(json: string): string {
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

interface CurlCall {
  /** Where the core sends such calls. */
  address: string;
  /** JSON text; undefined if it is not known in full. */
  payload: string | undefined;
}

/** @returns a command that sends the call as the core does, with its credential in `CORE_CREDENTIAL` */
export function toCurlCommand({ address, payload }: CurlCall): string {
  const data =
    payload === undefined
      ? "--data-binary @payload.json"
      : `--data-raw ${quoteForShell(escapeUnsafe(payload))}`;
  return [
    `curl ${quoteForShell(address)}`,
    '-H "authorization: Bearer $CORE_CREDENTIAL"',
    "-H 'content-type: application/json'",
    data,
  ].join(" \\\n  ");
}
