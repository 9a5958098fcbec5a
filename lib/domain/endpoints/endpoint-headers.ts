/** What headers pass between the caller of an endpoint and the app. */
import { isPlainPath } from "./endpoint";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Headers of a caller that no app receives: of the connection, credentials and cookies of the platform's own origin, what
 * proxies claim about the caller, and what makes some servers treat the request as another one. All others pass, because
 * third parties sign their callbacks in headers of their own.
 */
const WITHHELD = new Set([
  "host",
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
  "expect",
  "accept-encoding",
  "content-length",
  "authorization",
  "cookie",
  "forwarded",
  "via",
  "x-real-ip",
  "x-original-url",
  "x-rewrite-url",
  "x-http-method",
  "x-http-method-override",
  "x-method-override",
]);
const WITHHELD_PREFIXES = ["proxy-", "x-forwarded-", "x-platform-"];

export function requestHeaders(received: Headers): Record<string, string> {
  const named = text(received.connection)
    .split(",")
    .map((name) => name.trim().toLowerCase());
  const passed = Object.entries(received).filter(
    ([name, value]) =>
      value !== undefined &&
      !WITHHELD.has(name) &&
      !named.includes(name) &&
      !WITHHELD_PREFIXES.some((prefix) => name.startsWith(prefix)),
  );
  return Object.fromEntries(passed.map(([name, value]) => [name, text(value)]));
}

/** The only headers of an app that callers receive: no cookies, no CORS, nothing about the connection or the origin. */
const PASSED_BACK = [
  "allow",
  "cache-control",
  "content-disposition",
  "content-language",
  "content-type",
  "etag",
  "expires",
  "last-modified",
  "retry-after",
  "vary",
];

/**
 * A page of an app runs in an origin of its own (no `allow-same-origin`), so it can read nothing of the gateway's origin or
 * of another app's pages, and cannot be framed. Sent with every answer, because not only HTML can run scripts.
 */
const SANDBOX = "sandbox allow-forms allow-scripts; frame-ancestors 'none'";

export function responseHeaders(answered: Headers): Record<string, string> {
  const passed = PASSED_BACK.flatMap((name) =>
    answered[name] === undefined ? [] : [[name, text(answered[name])] as const],
  );
  return {
    "cache-control": "no-store",
    ...Object.fromEntries(passed),
    "content-security-policy": SANDBOX,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
}

const ANY_APP = "http://app.invalid";

/**
 * Where a redirect of an app leads: its own paths become paths below `base`. Undefined for any other place, so that nobody
 * can use the gateway's name to send people elsewhere.
 */
export function redirectTarget(location: string, path: string, base: string): string | undefined {
  if (location.startsWith("//") || !/^[\x21-\x5b\x5d-\x7e]*$/.test(location)) return undefined;
  if (!URL.canParse(location, ANY_APP + path)) return undefined;
  const url = new URL(location, ANY_APP + path);
  if (url.origin !== ANY_APP || !isPlainPath(url.pathname)) return undefined;
  return base + url.pathname + url.search + url.hash;
}

function text(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}
