import { errors, request, type Agent } from "undici";
import { v7 } from "uuid";
import { CORE_CREDENTIAL_HEADER, type ConnectionStep } from "@/lib/contract/core";
import { signToken } from "../keys/sign-token";
import type { Platform } from "../platform/platform";
import { CORE_DEADLINE_MS, CoreAddressRefused, coreAgent } from "./core-agent";

/** What is needed to reach a tenant's core. */
export interface CoreTarget {
  id: string;
  /** Slug of the organization that asks: in the token. */
  organization: string;
  /** In the token. */
  hostName: string;
  coreApiUrl: string;
  sandbox: boolean;
  /** Sent as `x-api-key` beside the token; undefined: the token is enough. */
  credential: string | undefined;
}

/** Why there was no answer: the step at which it ended, and how to mend it. */
export interface CoreFault {
  step: ConnectionStep;
  detail: string;
}

/** One for each kind of access; kept, for its connections are. */
const agents = new Map<string, Agent>();

/** Only a sandbox tenant is let through to the platform's own core: that address opens for nobody else. */
function agentOf(platform: Platform, sandbox: boolean): Agent {
  const { PLATFORM_PRIVATE_CORES: privateCores, PLATFORM_SANDBOX_CORE_URL: ownCore } = platform.environment;
  const own = sandbox && ownCore !== "" ? ownCore : undefined;
  const kind = `${privateCores} ${own ?? ""}`;
  const agent = agents.get(kind) ?? coreAgent(privateCores, own);
  agents.set(kind, agent);
  return agent;
}

/** `GET {coreApiUrl}/products`. Throws only for faults of our own. */
export async function askCore(
  platform: Platform,
  target: CoreTarget,
  address: string,
): Promise<{ status: number; text: string } | CoreFault> {
  const token = await signToken(platform, {
    audience: target.coreApiUrl,
    organization: target.organization,
    tenant: target.hostName,
    subject: `tenant:${target.id}`,
    tokenId: v7(),
  });
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json",
    "accept-encoding": "identity",
    ...(target.credential === undefined ? {} : { [CORE_CREDENTIAL_HEADER]: target.credential }),
  };
  try {
    const response = await request(address, {
      dispatcher: agentOf(platform, target.sandbox),
      headers,
      signal: AbortSignal.timeout(CORE_DEADLINE_MS),
    });
    return { status: response.statusCode, text: await response.body.text() };
  } catch (error) {
    return faultOf(error, address);
  }
}

function faultOf(error: unknown, address: string): CoreFault {
  if (error instanceof CoreAddressRefused) {
    const detail = `The platform does not connect to ${address}: ${error.message}. Write the core's public address.`;
    return { step: "address", detail };
  }
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    const detail = `The answer of ${address} is larger than 1 MiB. Let the core list fewer products.`;
    return { step: "products", detail };
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return { step: "address", detail: `The host of ${address} has no address. Check how it is spelt.` };
  return { step: "connect", detail: connectFault(error, code, address) };
}

function connectFault(error: unknown, code: string, address: string): string {
  const late = error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
  if (late || code.endsWith("_TIMEOUT"))
    return `${address} did not answer within 5 s. Check that the core is up and that it can be reached from here.`;
  if (code === "ECONNREFUSED")
    return `Nothing listens at ${address}. Check the port, and that the core is up.`;
  if (/CERT|SELF_SIGNED|ALTNAME/.test(code))
    return `The certificate of ${address} is not one to trust (${code}). Give the core a valid one for this host.`;
  return `${address} could not be read. Check the address, its certificate, and that the core is up.`;
}
