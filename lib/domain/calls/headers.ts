/**
 * Which headers pass between a caller and an app, for each kind of call, with the reason for each: the platform and `platform-app dev` use
 * the same rules, and docs/guide/endpoints.md shows them. Names are in lowercase; `*` at the end stands for the rest of a name.
 */
import type { AppFault } from "@/lib/contract/platform/issue-codes";
import { isPlainPath, listMethods } from "@/lib/domain/catalog/manifest/endpoint";

interface HeaderRule {
  names: readonly string[];
  /** What happens to them, and why. For people who read the documentation. */
  rule: string;
}

/** Sent with every request, of whatever kind. Apps that compress nevertheless are refused: a secret could not be recognized. */
export const IDENTITY = { "accept-encoding": "identity" } as const;

/** Headers of a caller that no app receives. All others pass, because third parties sign their callbacks in headers of their own. */
export const WITHHELD: readonly HeaderRule[] = [
  {
    names: [
      "connection",
      "keep-alive",
      "te",
      "trailer",
      "transfer-encoding",
      "upgrade",
      "http2-settings",
      "proxy-*",
    ],
    rule: "Withheld, together with the headers that `Connection` names. They describe one connection, and the app has another one.",
  },
  { names: ["expect"], rule: "Withheld. The platform itself sends `100 Continue`." },
  { names: ["host"], rule: "Replaced. The app gets its own address, not one that the caller chose." },
  {
    names: ["accept-encoding"],
    rule: "Replaced with `identity`, because the platform reads what it passes on.",
  },
  {
    names: ["content-length"],
    rule: "Set to the length of the body that the app gets. Bodies of unknown length are sent in chunks.",
  },
  {
    names: ["authorization", "cookie"],
    rule: "Withheld. They are credentials for the gateway, which all apps share. Third parties can use other headers.",
  },
  {
    names: [
      "forwarded",
      "via",
      "x-forwarded*",
      "x-real-ip",
      "x-client-ip",
      "x-cluster-client-ip",
      "true-client-ip",
      "cf-connecting-ip",
    ],
    rule: "Withheld. They claim something about the caller that nobody has checked.",
  },
  {
    names: ["x-original-*", "x-rewrite-url", "x-http-method*", "x-method-override"],
    rule: "Withheld. Some servers would handle a path or a method that the manifest doesn't declare.",
  },
  {
    names: ["traceparent", "tracestate"],
    rule: "Replaced by the call's own: the same trace, with the platform's span as parent. An invalid trace is replaced by a new one.",
  },
  { names: ["x-platform-*"], rule: "Replaced. Only the platform sets `x-PLATFORM-key`." },
];

/** The only headers of an app that the callers of its endpoints receive. */
export const PASSED_BACK: readonly HeaderRule[] = [
  {
    names: ["content-type", "content-language", "content-disposition"],
    rule: "Passed on. They describe the body.",
  },
  { names: ["accept-ranges", "content-range"], rule: "Passed on, as `Range` and `If-Range` are to the app." },
  {
    names: ["etag", "last-modified", "expires", "vary"],
    rule: "Passed on for caches, as `If-None-Match` and `If-Modified-Since` are to the app.",
  },
  { names: ["cache-control"], rule: "Passed on; `no-store` if the app sends none." },
  { names: ["retry-after"], rule: "Passed on." },
  { names: ["allow"], rule: "Passed on without the methods that the manifest doesn't declare." },
];

/** What happens to the others, for the documentation. */
export const WITHHELD_BACK: readonly HeaderRule[] = [
  {
    names: ["location"],
    rule: "Passed on with 201, 302 and 303 if it is a path of the app, which becomes one below the base URL. Other redirects become a 502, so that nobody can use the gateway to send people elsewhere.",
  },
  {
    names: ["content-encoding"],
    rule: "Must be absent or `identity`. Otherwise the response becomes a 502.",
  },
  { names: ["content-length"], rule: "Removed, because the platform masks state keys in the body." },
  {
    names: ["connection", "keep-alive", "transfer-encoding", "trailer", "upgrade"],
    rule: "Removed. They describe the connection to the app.",
  },
  { names: ["set-cookie", "www-authenticate"], rule: "Removed. All apps share the gateway's address." },
  {
    names: ["access-control-*"],
    rule: "Removed. CORS is not supported, so pages of other sites can't read responses. `OPTIONS` is answered with 405.",
  },
  {
    names: ["content-security-policy", "x-content-type-options", "referrer-policy"],
    rule: "Set by the platform: see below.",
  },
  {
    names: ["link", "content-location", "refresh"],
    rule: "Removed. Their paths would be the gateway's, and they could lead elsewhere.",
  },
  { names: ["*"], rule: "All others are removed." },
];

type Headers = Readonly<Record<string, string | string[] | undefined>>;

interface Names {
  exact: ReadonlySet<string>;
  prefixes: readonly string[];
}

function collect(rules: readonly HeaderRule[]): Names {
  const names = rules.flatMap((each) => each.names);
  return {
    exact: new Set(names.filter((name) => !name.endsWith("*"))),
    prefixes: names.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1)),
  };
}

const withheld = collect(WITHHELD);

/** What the app gets of a caller's headers, apart from what the platform sets. */
export function requestHeaders(received: Headers): Record<string, string> {
  const named = text(received.connection)
    .split(",")
    .map((name) => name.trim().toLowerCase());
  const passed = Object.entries(received).filter(
    ([name, value]) =>
      value !== undefined &&
      !withheld.exact.has(name) &&
      !named.includes(name) &&
      !withheld.prefixes.some((prefix) => name.startsWith(prefix)),
  );
  return Object.fromEntries(passed.map(([name, value]) => [name, text(value)]));
}

/**
 * A page of an app runs in an origin of its own (no `allow-same-origin`), so it can read nothing of the gateway's origin or
 * of another app's pages, and cannot be framed. It can do what a page of any stranger can: download files, ask, print, and open
 * windows. Those are not sandboxed, so that other sites work in them; a page of an app has its own sandbox wherever it is opened.
 * Sent with every answer, because not only HTML can run scripts.
 */
const SANDBOX =
  "sandbox allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-scripts; frame-ancestors 'none'";

const passedBack = [...collect(PASSED_BACK).exact];

interface Answered {
  status: number;
  headers: Headers;
}

/** The request that it answers. */
interface Asked {
  path: string;
  /** The path below which the endpoints are. */
  base: string;
  /** Which methods the manifest declares for the endpoint. */
  methods: readonly string[];
}

export interface PassedHead {
  status: number;
  headers: Record<string, string>;
}

interface Refused {
  fault: AppFault;
  failure: string;
}

/** What the caller of an endpoint gets of an answer's head, or why the answer is not passed on. */
export function passHead({ status, headers: answered }: Answered, asked: Asked): PassedHead | Refused {
  const headers = responseHeaders(answered, asked.methods);
  const target =
    typeof answered.location === "string"
      ? redirectTarget(answered.location, asked.path, asked.base)
      : undefined;
  if (target !== undefined && (status === 201 || status === 302 || status === 303))
    return { status, headers: { ...headers, location: target } };
  if (status < 300 || status === 304 || status >= 400) return { status, headers };
  const failure = `It returned ${status}, a redirect that the platform doesn't pass on. Endpoints can redirect only to the app's own paths, with 302 or 303.`;
  return { fault: "app-response-status", failure };
}

export function responseHeaders(answered: Headers, methods: readonly string[]): Record<string, string> {
  const passed = passedBack.flatMap((name) =>
    answered[name] === undefined ? [] : [[name, text(answered[name])] as const],
  );
  const headers = Object.fromEntries(passed);
  if (headers.allow !== undefined) headers.allow = declaredOnly(headers.allow, methods);
  return {
    "cache-control": "no-store",
    ...headers,
    "content-security-policy": SANDBOX,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
}

function declaredOnly(allow: string, methods: readonly string[]): string {
  const declared = listMethods(methods);
  const allowed = allow.split(",").map((method) => method.trim());
  return allowed.filter((method) => declared.includes(method)).join(", ");
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
