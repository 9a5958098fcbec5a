/** What is wrong with an app's answer to `GET /health`, in words for its publisher. */
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";

export const HEALTH_DEADLINE_MS = 3_000;

export interface FailedCheck {
  code: ReasonCode;
  /** What is wrong, for the publisher. */
  reason: string;
  /** For a request that got no response: what went wrong between platform and app. */
  failure?: string;
}

interface HealthAnswer {
  /** Null if none arrived. */
  status: number | null;
  /** What went wrong between platform and app. */
  fault: string | null;
  failure: string | null;
}

/** Undefined if it answered exactly 200. */
export function explainHealth({ status, fault, failure }: HealthAnswer): FailedCheck | undefined {
  if (status === 200 && failure === null) return undefined;
  if (fault === "app-timed-out")
    return {
      code: "HEALTH_TIMED_OUT",
      reason: `GET /health did not answer within ${HEALTH_DEADLINE_MS / 1000} s.`,
    };
  if (status === null) {
    const isRefused = fault === "app-connection-refused" || fault === "app-unreachable";
    return {
      code: isRefused ? "PORT_NOT_BOUND" : "HEALTH_NOT_200",
      reason: "GET /health got no response.",
      failure: failure ?? undefined,
    };
  }
  return { code: "HEALTH_NOT_200", reason: explainStatus(status, failure) };
}

function explainStatus(status: number, failure: string | null): string {
  if (status >= 300 && status < 400)
    return `GET /health returned ${status}, a redirect. It must return 200 itself.`;
  if (status === 200)
    return `GET /health returned 200, but its response is not valid. ${failure ?? ""}`.trim();
  return `GET /health returned ${status}. It must return exactly 200.`;
}

/** A machine asks its apps every few seconds, and gives up after a few failures: until then, what it says may be old. */
export const THERE_WITHIN_MS = 12_000;

const NETWORK_AT_FAULT =
  "The machine that the app runs on gets 200 for GET /health, but the platform gets no response. Check that machine, and the network and its policies between the platform and apps.";

/**
 * Blames the network for a check without an answer if the app's own machine gets one.
 * @returns undefined if it isn't the network's fault
 */
export function blameNetwork({ code, failure }: FailedCheck): FailedCheck | undefined {
  const gotNothing = code === "HEALTH_TIMED_OUT" || failure !== undefined;
  return gotNothing ? { code: "NETWORK_FAILED", reason: NETWORK_AT_FAULT } : undefined;
}

export function joinSentences(...sentences: (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined).join(" ");
}
