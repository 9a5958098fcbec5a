import { errors, request, type Agent } from "undici";
import { v7 } from "uuid";
import type { ConnectionStep } from "@/lib/contract/core";
import { CORE_CREDENTIAL_HEADER } from "@/lib/contract/core-credential-header";
import { signToken } from "../keys/sign-token";
import type { Platform } from "../platform/platform";
import { CORE_DEADLINE_MS, CoreAddressError, createCoreAgent } from "./core-agent";

/** What is needed to reach a tenant's core. `organization` (a slug) and `hostName` are claims of the token. */
export interface CoreTarget {
  id: string;
  organization: string;
  hostName: string;
  coreApiUrl: string;
  sandbox: boolean;
  /** Sent as `x-api-key` in addition to the token; undefined if the core needs only the token. */
  credential: string | undefined;
}

/** The step that failed; `detail` says why and how to fix it. */
export interface CoreFailure {
  step: ConnectionStep;
  detail: string;
}

/** Reused, because agents keep connections open. */
const agents = new Map<string, Agent>();

/** Only sandbox tenants may reach the platform's own core on a private network. */
function selectAgent(platform: Platform, sandbox: boolean): Agent {
  const { PLATFORM_PRIVATE_CORES: privateCores, PLATFORM_SANDBOX_CORE_URL: url } = platform.environment;
  const platformCore = sandbox && url !== "" ? url : undefined;
  const kind = `${privateCores} ${platformCore ?? ""}`;
  const agent = agents.get(kind) ?? createCoreAgent(privateCores, platformCore);
  agents.set(kind, agent);
  return agent;
}

/** Sends `GET {url}` to the core with a token. Throws only if the platform itself fails. */
export async function askCore(
  platform: Platform,
  target: CoreTarget,
  url: string,
): Promise<{ status: number; text: string } | CoreFailure> {
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
    const response = await request(url, {
      dispatcher: selectAgent(platform, target.sandbox),
      headers,
      signal: AbortSignal.timeout(CORE_DEADLINE_MS),
    });
    return { status: response.statusCode, text: await response.body.text() };
  } catch (error) {
    return describeFailure(error, url);
  }
}

function describeFailure(error: unknown, url: string): CoreFailure {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const timedOut = error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
  if (error instanceof CoreAddressError) {
    const detail = `The platform does not connect to ${url}: ${error.message}. Enter the core's public address.`;
    return { step: "address", detail };
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return { step: "address", detail: `The host name in ${url} could not be resolved. Check the spelling.` };
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    const detail = `The response from ${url} is larger than 1 MiB. Reduce the products that the core lists.`;
    return { step: "products", detail };
  }
  const connect = (detail: string): CoreFailure => ({ step: "connect", detail });
  if (timedOut || code.endsWith("_TIMEOUT"))
    return connect(
      `${url} did not respond within 5 seconds. Check that the core is running and reachable from here.`,
    );
  if (code === "ECONNREFUSED")
    return connect(`${url} refused the connection. Check the port, and that the core is running.`);
  if (/CERT|SELF_SIGNED|ALTNAME/.test(code))
    return connect(
      `The TLS certificate of ${url} is not trusted (${code}). Install a valid one for this host.`,
    );
  return connect(
    `The connection to ${url} failed. Check the address, its certificate, and that the core is running.`,
  );
}
