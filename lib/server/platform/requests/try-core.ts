import { type Agent, errors, request } from "undici";
import { v7 } from "uuid";
import { type ConnectionStep, type ConnectionTest, coreProducts } from "@/lib/contract/platform/core";
import { CORE_CREDENTIAL_HEADER } from "@/lib/contract/platform/headers";
import { FORBIDDEN_NAMES } from "@/lib/contract/platform/manifest-terms";
import { isShallow, parseJson, Problem } from "@/lib/contract/platform/problem";
import { canBeStored } from "@/lib/contract/platform/text";
import { describeInvalidUtf8, findInvalidUtf8 } from "@/lib/domain/platform/utf8";
import type { Platform } from "../platform";
import { CORE_DEADLINE_MS, CoreAddressError, createCoreAgent } from "./core-agent";

export interface CoreTry {
  test: ConnectionTest;
  /** Undefined if a step failed. */
  listed: CoreProduct[] | undefined;
}

/** Reads the core's products step by step. If the core fails, the result shows the step; nothing is thrown. */
export async function tryCore(platform: Platform, target: CoreTarget): Promise<CoreTry> {
  const testedAt = new Date().toISOString();
  const startedAt = performance.now();
  const url = `${target.coreApiUrl}/products`;
  const response = await askCore(platform, target, url);
  const outcome = "step" in response ? response : evaluate(response, url, target.credential !== undefined);
  const listed = "step" in outcome ? undefined : outcome.listed;
  return {
    listed,
    test: {
      ok: listed !== undefined,
      steps: listSteps(outcome, new URL(url).hostname),
      testedAt,
      durationMs: Math.round(performance.now() - startedAt),
      products: (listed ?? []).map((product) => product.name),
    },
  };
}

/** The products that the tenant's core lists now. Throws CORE_FAILED, which says what went wrong and how to fix it. */
export async function readCoreProducts(
  platform: Platform,
  target: CoreTarget,
): Promise<{ listed: CoreProduct[]; test: ConnectionTest }> {
  const { listed, test } = await tryCore(platform, target);
  if (listed === undefined) throw coreFailed(test);
  return { listed, test };
}

/** A failed test as a problem: the detail of its last step. */
export function coreFailed(test: ConnectionTest): Problem {
  return new Problem("CORE_FAILED", test.steps.at(-1)?.detail);
}

function evaluate(
  { status, body }: CoreAnswer,
  url: string,
  withCredential: boolean,
): CoreFailure | { listed: CoreProduct[] } {
  if (status === 401 || status === 403) {
    const fix =
      "Configure the core to trust the keys at /.well-known/jwks.json of the gateway, and your organization for this host name";
    const detail = withCredential
      ? `${url} rejected the platform's token or the credential (${status}). ${fix}, and check the credential.`
      : `${url} rejected the platform's token (${status}). ${fix}. If the core also requires an API key, set the credential.`;
    return { step: "sign-in", detail };
  }
  const failed = (detail: string): CoreFailure => ({ step: "products", detail });
  if (status >= 300 && status < 400)
    return failed(
      `${url} returned a redirect (${status}), which the platform does not follow. Enter the final address.`,
    );
  if (status !== 200)
    return failed(`${url} returned ${status}. Check the address: the core must list its products there.`);
  const at = findInvalidUtf8(body);
  // Names with other characters in place of what the core meant must not be stored.
  if (at !== undefined)
    return failed(
      `${describeInvalidUtf8(`The response from ${url}`, body, at)} Fix the core's response: JSON is UTF-8.`,
    );
  const listed = parseProducts(new TextDecoder().decode(body), url);
  return typeof listed === "string" ? failed(listed) : { listed };
}

const STEPS = ["address", "connect", "sign-in", "products"] as const satisfies ConnectionStep[];

/** The steps that passed, then the one that failed, if any. */
function listSteps(outcome: CoreFailure | { listed: CoreProduct[] }, host: string): ConnectionTest["steps"] {
  const failure = "step" in outcome ? outcome : undefined;
  const passedCount = failure === undefined ? STEPS.length : STEPS.indexOf(failure.step);
  const count = "listed" in outcome ? outcome.listed.length : 0;
  const passed: Record<ConnectionStep, string> = {
    address: `The platform can connect to ${host}.`,
    connect: "The core responded.",
    "sign-in":
      failure === undefined
        ? "The core accepted the platform's token."
        : "The core did not reject the platform's token.",
    products:
      count === 0
        ? "The core lists no products yet. Deploy one there, then refresh."
        : `The core lists ${count} ${count === 1 ? "product" : "products"}.`,
  };
  const steps = STEPS.slice(0, passedCount).map((step) => ({ step, ok: true, detail: passed[step] }));
  return failure === undefined ? steps : [...steps, { ...failure, ok: false }];
}

/** What is needed to reach a tenant's core. `organization` (a slug) and `hostName` are claims of the token. */
interface CoreTarget {
  id: string;
  organization: string;
  hostName: string;
  coreApiUrl: string;
  sandbox: boolean;
  /** Sent as `x-api-key` in addition to the token; undefined if the core needs only the token. */
  credential: string | undefined;
}

interface CoreAnswer {
  status: number;
  body: Uint8Array;
}

/** The step that failed; `detail` says why and how to fix it. */
interface CoreFailure {
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
async function askCore(
  platform: Platform,
  target: CoreTarget,
  url: string,
): Promise<CoreAnswer | CoreFailure> {
  const token = await platform.services.tokens.sign({
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
    return { status: response.statusCode, body: await response.body.bytes() };
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

/** Of a core's list, which is untrusted: it is size-limited and must be storable in PostgreSQL. */
export interface CoreProduct {
  name: string;
  schema: Record<string, unknown>;
  /** Undefined if the core sent none, or one larger than SAMPLE_BYTES. */
  sample?: unknown;
}

/** The most that a product's sample may have as JSON text. */
export const SAMPLE_BYTES = 64 * 1024;

/** The products, or a message that says what is wrong with the response and how to fix it. */
export function parseProducts(text: string, url: string): CoreProduct[] | string {
  const value = parseJson(text);
  const parsed = isShallow(value) && isStorable(value) ? coreProducts.safeParse(value) : undefined;
  if (parsed?.success !== true)
    return `${url} did not return JSON of the form { "products": [{ "name", "schema" }] }. Fix the core's response.`;
  const { products } = parsed.data;
  const names = products.map((product) => product.name);
  const reserved = names.find((name) => FORBIDDEN_NAMES.includes(name));
  if (reserved !== undefined)
    return `${url} lists a product named '${reserved}', which is a reserved name in JavaScript. Rename the product.`;
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined)
    return `${url} lists '${duplicate}' more than once. Give each product a unique name.`;
  return products.map(({ name, schema, sample }) =>
    sample === undefined || sample === null || Buffer.byteLength(JSON.stringify(sample)) > SAMPLE_BYTES
      ? { name, schema }
      : { name, schema, sample },
  );
}

/** For a shallow value: whether PostgreSQL can store all of its text, keys included. */
function isStorable(value: unknown): boolean {
  if (typeof value === "string") return canBeStored(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, member]) => canBeStored(key) && isStorable(member));
}
