import { Problem, wrongMethod } from "@/lib/contract/platform/problem";
import { type GatewayRoute, ROUTES } from "@/lib/server/surface/api/all-routes";
import type { Route } from "@/lib/server/surface/api/routes/route";

interface Pattern {
  route: Route;
  method: string;
  path: RegExp;
}

interface FoundRoute {
  route: Route;
  /** Values of the path's `<…>` placeholders, in order. */
  parts: string[];
}

/** Paths are told apart by their first segment, so a request is compared with few patterns, and a state read with one. */
export function createRouteFinder(
  only: (name: GatewayRoute) => boolean,
): (method: string, path: string) => FoundRoute {
  const bySegment = new Map<string, Pattern[]>();
  for (const route of ROUTES.filter(({ name }) => only(name))) {
    const [method = "", path = ""] = route.name.split(" ");
    const segment = firstSegment(path);
    bySegment.set(segment, [...(bySegment.get(segment) ?? []), { route, method, path: toPattern(path) }]);
  }
  return (method, address) => {
    // Accept a doubled first slash, because apps may append the path to an origin that ends with one.
    const path = address.startsWith("//") ? address.slice(1) : address;
    const allowed: string[] = [];
    for (const pattern of bySegment.get(firstSegment(path)) ?? []) {
      const found = pattern.path.exec(path);
      if (found === null) continue;
      if (pattern.method === method || pattern.method === "ANY")
        return { route: pattern.route, parts: found.slice(1) };
      allowed.push(pattern.method);
    }
    if (allowed.length === 0) throw new Problem("NOT_FOUND");
    throw wrongMethod(allowed, `Use ${allowed.join(" or ")} here.`);
  };
}

function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return end === -1 ? path : path.slice(0, end);
}

function toPattern(path: string): RegExp {
  const source = path
    .replace(/<\w+\.\.\.>/g, "<rest>")
    .replace(/[.]/g, "\\.")
    .replace("<rest>", "(.*)")
    .replace(/<\w+>/g, "([^/]+)");
  return new RegExp(`^${source}$`);
}
