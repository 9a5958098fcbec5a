/** Passes a request on to an endpoint of the app, with the headers that the platform lets through. */
import { Problem } from "@/lib/contract/problem";
import { findEndpoint } from "@/lib/domain/endpoints/endpoint";
import { redirectTarget, requestHeaders, responseHeaders } from "@/lib/domain/endpoints/endpoint-headers";
import type { Emulator } from "../emulator/emulator";
import { findConfigured } from "../emulator/find-customer";
import { listRoutes } from "../emulator/list-routes";
import { prepareCall, routeBase } from "./prepare-call";
import { sendCall } from "./send-call";

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

/** By whoever has the URL of the endpoint. */
export async function callEndpoint(
  emulator: Emulator,
  customerId: string,
  { method, path, query, headers, body }: EndpointRequest,
): Promise<EndpointAnswer> {
  const { manifest, url } = emulator;
  const customer = findConfigured(emulator, customerId);
  const declared = findEndpoint(manifest.core?.endpoints ?? [], path);
  const route = listRoutes(manifest).find((each) => each.route === `endpoint:${declared?.path ?? ""}`);
  if (route === undefined) throw new Problem("NOT_FOUND", `The manifest declares no endpoint for ${path}.`);
  const wanted = { method, path: path + query, payload: null };
  const prepared = prepareCall({ route, customer, manifest, url }, wanted);
  const passed = { ...prepared, headers: requestHeaders(headers), body };
  const { call, raw } = await sendCall(emulator, customer, passed, { sender: "console" });
  if (call.response === null || raw === null)
    throw new Problem("APP_FAILED", call.failure ?? "The app gave no answer.");
  const { status, headers: answered } = call.response;
  if (status < 300 || status >= 400) return { status, headers: responseHeaders(answered), body: raw };
  const location = redirectTarget(answered.location ?? "", path, routeBase(customer));
  if (location === undefined || (status !== 302 && status !== 303))
    throw new Problem(
      "APP_FAILED",
      `It returned ${status}, a redirect that the platform doesn't pass on. Endpoints can redirect only to the app's own paths, with 302 or 303.`,
    );
  return { status, headers: { ...responseHeaders(answered), location }, body: raw };
}
