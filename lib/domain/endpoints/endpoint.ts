/** Which requests an endpoint answers, and which endpoints an upgrade would newly open. */
import type { Manifest, PublicEndpoint } from "@/lib/contract/manifest";

/** Whether an endpoint's path (`/settings`, or `/callbacks/*` for everything below) covers a path of a request. */
export function coversPath(declared: string, path: string): boolean {
  if (!declared.endsWith("/*")) return declared === path;
  const parent = declared.slice(0, -1);
  return path.length > parent.length && path.startsWith(parent);
}

/**
 * The most specific of the endpoints that cover a path: the one with that very path, otherwise the longest. It alone
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
  if (!path.startsWith("/") || path.length > LONGEST_PATH || DISGUISED.test(path)) return false;
  const segments = path.slice(1).split("/");
  return segments.every((segment) => SEGMENT.test(segment) && segment !== "." && segment !== "..");
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
