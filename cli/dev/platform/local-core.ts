/** A small core for the made-up customers, at each one's coreApiUrl. It can be made slow, or silent. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CustomerStore, LocalCustomer } from "../answers/customer-store";
import { policiesOf, productsOf } from "../answers/products";
import type { DevSettings } from "../contract/core";
import type { LocalTokens } from "./local-tokens";

export interface CoreRequest {
  method: string;
  /** Below `/core/`, decoded. */
  parts: readonly string[];
  authorization: string | undefined;
  /** Aborted when the app has hung up. */
  gone: AbortSignal;
}

export interface CoreAnswer {
  status: number;
  body: unknown;
}

export interface LocalCore {
  /** Undefined if it never answers. */
  answer(request: CoreRequest): Promise<CoreAnswer | undefined>;
  /** How many requests it got. */
  requests(): number;
}

interface CoreOptions {
  customers: CustomerStore;
  tokens: LocalTokens;
  /** URL of the emulator for the app. */
  appUrl: string;
  settings: () => DevSettings;
}

/** Where the app finds the core of a customer. */
export function coreApiUrl(appUrl: string, { tenantHostName }: LocalCustomer): string {
  return `${appUrl}/core/${tenantHostName}`;
}

export function createCore({ customers, tokens, appUrl, settings }: CoreOptions): LocalCore {
  let requests = 0;
  return {
    requests: () => requests,
    answer: async (request) => {
      requests += 1;
      const { core, coreDelayMs } = settings();
      const wait = core === "normal" ? 0 : core === "slow" ? coreDelayMs : Infinity;
      if (wait > 0 && !(await waitFor(wait, request.gone))) return undefined;
      return respond(request);
    },
  };

  function respond({ method, parts, authorization }: CoreRequest): CoreAnswer {
    const [host, collection, name, ...rest] = parts;
    const customer = customers.list().find(({ tenantHostName }) => tenantHostName === host);
    if (customer === undefined || rest.length > 0) return refusal(404, "This tenant does not exist.");
    const claims = tokens.open((authorization ?? "").replace(/^Bearer /, ""));
    if (claims?.tenant !== customer.tenantHostName || claims.aud !== coreApiUrl(appUrl, customer))
      return refusal(401, "Send the token of this call's state: Authorization: Bearer <token>.");
    if (method !== "GET") return refusal(405, "This core can only be read.");
    if (collection === "products" && name === undefined)
      return { status: 200, body: { products: productsOf(customer.productSet) } };
    const policy =
      collection === "policies" ? policiesOf(customer.name, customer.productSet).get(name ?? "") : undefined;
    if (policy !== undefined) return { status: 200, body: policy };
    return refusal(404, "This core has /products and /policies/POL-1001, and nothing else.");
  }
}

function refusal(status: number, error: string): CoreAnswer {
  return { status, body: { error } };
}

/** False if the app hung up first. */
async function waitFor(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    if (ms === Infinity) await new Promise((_, reject) => signal.addEventListener("abort", reject));
    else await sleep(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
