import type { ConnectionTest } from "@/lib/contract/core";
import { Problem } from "@/lib/contract/problem";
import type { Platform } from "../platform/platform";
import type { CoreTarget } from "./ask-core";
import type { CoreProduct } from "./core-answer";
import { tryCore } from "./try-core";

/** The products that the tenant's core lists now. Throws CORE_FAILED, which says what went wrong and how to mend it. */
export async function readCoreProducts(
  platform: Platform,
  target: CoreTarget,
): Promise<{ listed: CoreProduct[]; test: ConnectionTest }> {
  const { listed, test } = await tryCore(platform, target);
  if (listed === undefined) throw coreFailed(test);
  return { listed, test };
}

/** The refusal that a failed test gives: the words of its last step. */
export function coreFailed(test: ConnectionTest): Problem {
  return new Problem("CORE_FAILED", test.steps.at(-1)?.detail);
}
