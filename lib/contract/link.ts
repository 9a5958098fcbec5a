import { atMost, storableText } from "./shown-text";

const MAXIMUM = 500;

/**
 * The URL, if a stranger may be sent there: https, with a host name and without a user name, which could pass for one
 * (`https://bank.example@evil.example`). Undefined for anything else. Its `hostname` is in ASCII, so that letters of another
 * alphabet that look alike show as `xn--…`.
 */
export function parseHttpsUrl(text: string): URL | undefined {
  // The parser would drop tabs and line breaks, and read a backslash as a slash.
  if (text.length > MAXIMUM || /[\s\\\p{Cc}\p{Cf}]/u.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.protocol === "https:" && url.username === "" && url.password === "";
  return isPlain && HOST_NAME.test(url.hostname) ? url : undefined;
}

/** A name with a top-level domain that is not a number, so neither an address nor a host of somebody's own network. */
const HOST_NAME = /^([a-z0-9_-]+\.)+[a-z][a-z0-9-]+$/;

export const httpsUrl = storableText
  .trim()
  .max(MAXIMUM, atMost(MAXIMUM))
  .refine(
    (text) => parseHttpsUrl(text) !== undefined,
    "Enter a public URL that starts with https://, such as https://acme.example/support.",
  );
