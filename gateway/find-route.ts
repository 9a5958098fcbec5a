import { Problem, wrongMethod } from "@/lib/contract/platform/problem";
import { GATEWAY_POLICY, type GatewayRoute } from "@/lib/domain/accounts/policy";

interface Pattern {
  route: GatewayRoute;
  method: string;
  path: RegExp;
}

export interface FoundRoute {
  route: GatewayRoute;
  /** Values of the pattern's `<…>` placeholders, in order. */
  parts: string[];
}

export type RouteFinder = (method: string, path: string) => FoundRoute;

/** Paths are told apart by their first segment, so a request is compared with few patterns, and a state read with one. */
export function createRouteFinder(only: (route: GatewayRoute) => boolean): RouteFinder {
  const bySegment = new Map<string, Pattern[]>();
  for (const route of Object.keys(GATEWAY_POLICY).filter(isGatewayRoute).filter(only)) {
    const pattern = compile(route);
    const segment = firstSegment(route.slice(route.indexOf("/")));
    bySegment.set(segment, [...(bySegment.get(segment) ?? []), pattern]);
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

function isGatewayRoute(name: string): name is GatewayRoute {
  return name in GATEWAY_POLICY;
}

function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return end === -1 ? path : path.slice(0, end);
}

function compile(route: GatewayRoute): Pattern {
  const [method = "", path = ""] = route.split(" ");
  const source = path
    .replace(/<\w+\.\.\.>/g, "<rest>")
    .replace(/[.]/g, "\\.")
    .replace("<rest>", "(.*)")
    .replace(/<\w+>/g, "([^/]+)");
  return { route, method, path: new RegExp(`^${source}$`) };
}
