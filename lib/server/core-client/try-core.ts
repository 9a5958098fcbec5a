import type { ConnectionStep, ConnectionTest } from "@/lib/contract/core";
import { Problem } from "@/lib/contract/problem";
import type { Platform } from "../platform/platform";
import { askCore, type CoreFailure, type CoreTarget } from "./ask-core";
import { parseProducts, type CoreProduct } from "./parse-products";

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
  { status, text }: { status: number; text: string },
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
  const listed = parseProducts(text, url);
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
