/** Which requests an endpoint answers, and which endpoints an upgrade would newly open. */
import type { Manifest, PublicEndpoint } from "@/lib/contract/catalog/manifest";
import { Problem, wrongMethod } from "@/lib/contract/platform/problem";

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

/** Throws WRONG_METHOD, also for OPTIONS, whose answer would only say what `Allow` says: no endpoint takes part in CORS. */
export function requireMethod(methods: readonly string[], method: string): void {
  if (allowsMethod(methods, method)) return;
  throw wrongMethod(listMethods(methods), `Use ${methods.join(" or ")} here.`);
}

/** For `Allow`. */
export function listMethods(methods: readonly string[]): string[] {
  return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
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

/** Throws BAD_PATH. @param query with its `?` */
export function requirePlainPath(path: string, query: string): void {
  if (!isPlainPath(path) || !/^[\x21-\x7e]*$/.test(query))
    throw new Problem(
      "BAD_PATH",
      `The platform can't forward this path. Remove empty, '.' and '..' segments, ';', and encoded slashes, dots, semicolons, and control characters. Escape other characters, such as '[' as '%5B'. A path has up to ${LONGEST_PATH} characters.`,
    );
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
