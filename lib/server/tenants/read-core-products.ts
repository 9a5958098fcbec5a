import { request, errors, type Agent } from "undici";
import { v7 } from "uuid";
import { coreProducts } from "@/lib/contract/core";
import { Problem } from "@/lib/contract/problem";
import { signToken } from "../keys/sign-token";
import type { Platform } from "../platform";
import { CORE_DEADLINE_MS, CoreAddressRefused, coreAgent } from "./core-agent";

export interface CoreProduct {
  name: string;
  schema: Record<string, unknown>;
}

/** One for each answer to "are private cores allowed?"; kept, for its connections are. */
const agents = new Map<boolean, Agent>();

function agentOf(platform: Platform): Agent {
  const allowed = platform.environment.PLATFORM_PRIVATE_CORES;
  const agent = agents.get(allowed) ?? coreAgent(allowed);
  agents.set(allowed, agent);
  return agent;
}

/** The products that the tenant's core lists now. Throws CORE_FAILED, which says what went wrong and how to mend it. */
export async function readCoreProducts(
  platform: Platform,
  tenant: { id: string; coreApiUrl: string },
): Promise<CoreProduct[]> {
  const address = `${tenant.coreApiUrl}/products`;
  const token = await signToken(platform, {
    audience: tenant.coreApiUrl,
    subject: `tenant:${tenant.id}`,
    tokenId: v7(),
  });
  const { status, text } = await ask(agentOf(platform), address, token).catch((error: unknown) => {
    throw new Problem("CORE_FAILED", faultInWords(error, address));
  });
  if (status === 401 || status === 403) {
    throw failed(
      `${address} refused the platform's token (${status}). Let the core trust the keys at /.well-known/jwks.json of the gateway.`,
    );
  }
  if (status >= 300 && status < 400)
    throw failed(
      `${address} answered a redirect (${status}), which is not followed. Write the final address.`,
    );
  if (status !== 200)
    throw failed(`${address} answered ${status}. Check the address; the core must list its products there.`);
  return productsOf(text, address);
}

async function ask(agent: Agent, address: string, token: string): Promise<{ status: number; text: string }> {
  const response = await request(address, {
    dispatcher: agent,
    headers: { authorization: `Bearer ${token}`, accept: "application/json", "accept-encoding": "identity" },
    signal: AbortSignal.timeout(CORE_DEADLINE_MS),
  });
  return { status: response.statusCode, text: await response.body.text() };
}

function productsOf(text: string, address: string): CoreProduct[] {
  const parsed = coreProducts.safeParse(parseJson(text));
  if (!parsed.success)
    throw failed(
      `${address} did not answer { "products": [{ "name", "schema" }] } as JSON. Correct the core's answer.`,
    );
  const { products } = parsed.data;
  const twice = products.find(
    (product, index) => products.findIndex((other) => other.name === product.name) !== index,
  );
  if (twice !== undefined)
    throw failed(`${address} lists '${twice.name}' twice. Give each product a name of its own.`);
  return products;
}

/** Undefined for what is not JSON, and for JSON with a NUL, which PostgreSQL cannot hold. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value).includes("\\u0000") ? undefined : value;
  } catch {
    return undefined;
  }
}

function faultInWords(error: unknown, address: string): string {
  if (error instanceof CoreAddressRefused)
    return `The platform does not connect to ${address}: ${error.message}. Write the core's public address.`;
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return `The answer of ${address} is larger than 1 MiB. Let the core list fewer products.`;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const late =
    error instanceof Error &&
    (error.name === "TimeoutError" || error.name === "AbortError" || String(code).endsWith("_TIMEOUT"));
  if (late)
    return `${address} did not answer within 5 s. Check that the core is up and that it can be reached from here.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `The host of ${address} has no address. Check how it is spelt.`;
  if (code === "ECONNREFUSED")
    return `Nothing listens at ${address}. Check the port, and that the core is up.`;
  return `${address} could not be read. Check the address, its certificate, and that the core is up.`;
}

function failed(detail: string): Problem {
  return new Problem("CORE_FAILED", detail);
}
