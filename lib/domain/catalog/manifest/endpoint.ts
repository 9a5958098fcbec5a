/** Which requests an endpoint answers, and which endpoints an upgrade would newly open. */
import type { Manifest, PublicEndpoint } from "@/lib/contract/catalog/manifest";

/** Whether an endpoint's path (`/settings`, or `/callbacks/*` for everything below) covers a path of a request. */
export function coversPath(declared: string, path: string): boolean {
  if (!declared.endsWith("/*")) return declared === path;
  const parent = declared.slice(0, -1);
  return path.length > parent.length && path.startsWith(parent);
}

/**
 * The most specific of the endpoints that cover a path: the one with exactly that path, otherwise the longest. It alone
 * decides access and methods, so that a public `/a/*` never opens a `/a/b` that needs a credential.
 */
export function findEndpoint<Declared extends { path: string }>(
  endpoints: readonly Declared[],
  path: string,
): Declared | undefined {
  const rank = (endpoint: Declared) => (endpoint.path === path ? Infinity : endpoint.path.length);
  return endpoints
    .filter((endpoint) => coversPath(endpoint.path, path))
    .sort((one, other) => rank(other) - rank(one))[0];
}

/** HEAD is answered wherever GET is. */
export function allowsMethod(methods: readonly string[], method: string): boolean {
  return methods.includes(method === "HEAD" ? "GET" : method);
}

const LONGEST_PATH = 2048;

/** A segment of letters, digits, marks and escapes. Leaves out `;`, which some servers cut off together with what follows. */
const SEGMENT = /^(?:[A-Za-z0-9_~.:@!$&'()*+,=-]|%[0-9A-Fa-f]{2})+$/;

/** Escapes of `%`, `.`, `/`, `;`, `\`, and control characters: servers disagree on whether they are the character. */
const DISGUISED = /%(?:25|2[EeFf]|3[Bb]|5[Cc]|[01][0-9A-Fa-f]|7[Ff])/;

/**
 * Whether an app's server cannot read a path as another one than the platform does: no empty, `.` or `..` segments, and
 * nothing that becomes one when it is decoded. Reserved paths can't be reached either.
 */
export function isPlainPath(path: string): boolean {
  if (path === "/") return true;
  if (!path.startsWith("/") || path.length > LONGEST_PATH || DISGUISED.test(path)) return false;
  const segments = path.slice(1).split("/");
  return segments.every((segment) => SEGMENT.test(segment) && segment !== "." && segment !== "..");
}

/** What the manifest can declare. */
const DECLARABLE = /^(\/|(\/[A-Za-z0-9_~.-]+)+)$/;
const RESERVED = /^\/(health$|_app(\/|$))/;

/** The entry of `core.endpoints` that a path needs, as JSON. Undefined if the path can't be declared. */
export function endpointToDeclare(method: string, path: string): string | undefined {
  if (RESERVED.test(path)) return undefined;
  // The lowest folder that can be declared.
  const folder = /^(\/[A-Za-z0-9_~.-]+)+(?=\/)/.exec(path)?.[0];
  const declared = DECLARABLE.test(path) ? path : folder && `${folder}/*`;
  const methods = [method === "HEAD" ? "GET" : method];
  return declared && JSON.stringify({ path: declared, methods, access: "public", title: "What it is for" });
}

/**
 * Why nothing answers at a path, and what the manifest needs for it. The same for every reason, because a caller must not learn which
 * installations and endpoints there are.
 */
export function explainMissingEndpoint(method: string, path: string): string {
  if (RESERVED.test(path)) return `"${path}" is reserved for the platform, so no endpoint can answer there.`;
  const entry = endpointToDeclare(method, path);
  return (
    `No endpoint answers ${method} ${path.slice(0, 200)} here. Browsers and third parties reach only the paths that the app's manifest ` +
    `declares in core.endpoints${entry === undefined ? "" : `, such as ${entry}`}. The customer opens a public one on the installation's page, and the installation must be running.`
  );
}

/**
 * The public endpoints of `after` that the customer has not agreed to: new ones, ones that needed a credential before, and
 * ones that accept more methods than before.
 */
export function newlyPublic(before: Manifest | undefined, after: Manifest): PublicEndpoint[] {
  const earlier = (before?.core?.endpoints ?? []).filter(({ access }) => access === "public");
  return (after.core?.endpoints ?? [])
    .filter(({ access }) => access === "public")
    .filter(
      ({ path, methods }) =>
        !earlier.some((one) => one.path === path && methods.every((method) => one.methods.includes(method))),
    )
    .map(({ path, methods, title }) => ({ path, methods, title }));
}

// What headers pass between the caller of an endpoint and the app.

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
  "accept-ranges",
  "allow",
  "cache-control",
  "content-disposition",
  "content-language",
  "content-range",
  "content-type",
  "etag",
  "expires",
  "last-modified",
  "retry-after",
  "vary",
];

/**
 * A page of an app runs in an origin of its own (no `allow-same-origin`), so it can read nothing of the gateway's origin or
 * of another app's pages, and cannot be framed. It can do what a page of any stranger can: download files, ask, print, and open
 * windows. Those are not sandboxed, so that other sites work in them; a page of an app has its own sandbox wherever it is opened.
 * Sent with every answer, because not only HTML can run scripts.
 */
const SANDBOX =
  "sandbox allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-scripts; frame-ancestors 'none'";

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
