import type { ConnectionStep, ConnectionTest } from "@/lib/contract/core";
import type { Platform } from "../platform/platform";
import { askCore, type CoreFault, type CoreTarget } from "./ask-core";
import { readAnswer, type CoreProduct } from "./core-answer";

export interface CoreTry {
  test: ConnectionTest;
  /** Undefined when a step failed. */
  listed: CoreProduct[] | undefined;
}

/** Reads the core's products step by step. A fault of the core is in the result; only one of our own is thrown. */
export async function tryCore(platform: Platform, target: CoreTarget): Promise<CoreTry> {
  const testedAt = new Date().toISOString();
  const began = performance.now();
  const address = `${target.coreApiUrl}/products`;
  const answer = await askCore(platform, target, address);
  const outcome = "step" in answer ? answer : judge(answer, address, target.credential !== undefined);
  const durationMs = Math.round(performance.now() - began);
  const faulty = "step" in outcome;
  const listed = faulty ? undefined : outcome.listed;
  return {
    listed,
    test: {
      ok: !faulty,
      steps: stepsOf(outcome, new URL(address).hostname),
      testedAt,
      durationMs,
      products: (listed ?? []).map((product) => product.name),
    },
  };
}

function judge(
  { status, text }: { status: number; text: string },
  address: string,
  withCredential: boolean,
): CoreFault | { listed: CoreProduct[] } {
  if (status === 401 || status === 403) {
    const mend =
      "Let the core trust the keys at /.well-known/jwks.json of the gateway, and your organization for this host name";
    const detail = withCredential
      ? `${address} refused the platform's token or the credential (${status}). ${mend}, and check the credential.`
      : `${address} refused the platform's token (${status}). ${mend}. If it asks for an API key too, set the credential.`;
    return { step: "sign-in", detail };
  }
  const products = (detail: string): CoreFault => ({ step: "products", detail });
  if (status >= 300 && status < 400)
    return products(
      `${address} answered a redirect (${status}), which is not followed. Write the final address.`,
    );
  if (status !== 200)
    return products(
      `${address} answered ${status}. Check the address; the core must list its products there.`,
    );
  const listed = readAnswer(text, address);
  return typeof listed === "string" ? products(listed) : { listed };
}

const STEPS = ["address", "connect", "sign-in", "products"] as const satisfies ConnectionStep[];

/** Those before the fault passed; after it there are none. */
function stepsOf(outcome: CoreFault | { listed: CoreProduct[] }, host: string): ConnectionTest["steps"] {
  const fault = "step" in outcome ? outcome : undefined;
  const failedAt = fault === undefined ? STEPS.length : STEPS.indexOf(fault.step);
  const count = "listed" in outcome ? outcome.listed.length : 0;
  const passed: Record<ConnectionStep, string> = {
    address: `${host} is a host that the platform connects to.`,
    connect: "The core answered.",
    "sign-in":
      fault === undefined
        ? "The core took the platform's sign-in."
        : "The core did not refuse the platform's token.",
    products:
      count === 0
        ? "The core lists no products yet. Deploy one there, then refresh."
        : `The core lists ${count} ${count === 1 ? "product" : "products"}.`,
  };
  const steps = STEPS.slice(0, failedAt).map((step) => ({ step, ok: true, detail: passed[step] }));
  return fault === undefined ? steps : [...steps, { ...fault, ok: false }];
}
