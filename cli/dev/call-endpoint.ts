/** Passes a request on to an endpoint of the app, with the headers that the platform lets through. */
import type { Manifest } from "@/lib/contract/manifest";
import { Problem } from "@/lib/contract/problem";
import { findEndpoint } from "@/lib/domain/endpoints/endpoint";
import { redirectTarget, requestHeaders, responseHeaders } from "@/lib/domain/endpoints/endpoint-headers";
import type { SentCall } from "./call-sender";
import type { DevRoute } from "./contract/manifest";
import type { PreparedCall, WantedCall } from "./prepare-call";
import { listRoutes } from "./read-manifest";

export interface EndpointRequest {
  method: string;
  /** Below the route base. */
  path: string;
  /** With its `?`; empty if there is none. */
  query: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string | undefined;
}

export interface EndpointAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

type Prepare = (
  route: DevRoute,
  wanted: WantedCall,
) => { prepared: PreparedCall; send: (call: PreparedCall) => Promise<SentCall> };

export async function callEndpoint(
  { method, path, query, headers, body }: EndpointRequest,
  manifest: Manifest,
  base: string,
  prepare: Prepare,
): Promise<EndpointAnswer> {
  const declared = findEndpoint(manifest.core?.endpoints ?? [], path);
  const route = listRoutes(manifest).find((each) => each.route === `endpoint:${declared?.path ?? ""}`);
  if (route === undefined) throw new Problem("NOT_FOUND", `The manifest declares no endpoint for ${path}.`);
  const { prepared, send } = prepare(route, { method, path: path + query, payload: null });
  const { call, raw } = await send({ ...prepared, headers: requestHeaders(headers), body });
  if (call.response === null || raw === null)
    throw new Problem("APP_FAILED", call.failure ?? "The app gave no answer.");
  const { status, headers: answered } = call.response;
  if (status < 300 || status >= 400) return { status, headers: responseHeaders(answered), body: raw };
  const location = redirectTarget(answered.location ?? "", path, base);
  if (location === undefined || (status !== 302 && status !== 303))
    throw new Problem(
      "APP_FAILED",
      `It returned ${status}, a redirect that the platform doesn't pass on. Endpoints can redirect only to the app's own paths, with 302 or 303.`,
    );
  return { status, headers: { ...responseHeaders(answered), location }, body: raw };
}
