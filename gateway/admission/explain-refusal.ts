import { Problem } from "@/lib/contract/problem";
import type { Refusal } from "@/lib/server/limits/share";
import { CLASS_NAMES, type WorkClass } from "./work-class";

/** Whose limit a request exceeds, in words, and how many requests it allows at once. */
export interface Limit {
  whose: "Your organization" | "Your address" | "This tenant";
  most: number;
}

/** In a flood, building errors costs more than everything else, so each of these few is built only once. */
const known = new Map<string, Problem>();

/**
 * 429 if the caller's own share is used up, 503 if the platform is busy with others. @param limit undefined if the request waited
 * too long for a turn: callers don't have a fixed number of those
 */
export function explainRefusal(
  work: WorkClass,
  limit: Limit | undefined,
  { full, retryAfterSeconds }: Refusal,
): Problem {
  const what = CLASS_NAMES[work];
  if (limit === undefined || full === "total") return overloaded(what, retryAfterSeconds);
  const { whose, most } = limit;
  const detail = `${whose} has ${most} ${what} in progress, the most that the platform handles for it at once. Wait for some of them to finish, then try again.`;
  return recall("TOO_MANY_REQUESTS", detail, retryAfterSeconds);
}

export function overloaded(what: string, retryAfterSeconds: number): Problem {
  const detail = `The platform is busy with ${what} from many callers. Nothing is wrong with your request. Try again in a moment.`;
  return recall("OVERLOADED", detail, retryAfterSeconds);
}

function recall(code: "TOO_MANY_REQUESTS" | "OVERLOADED", detail: string, seconds: number): Problem {
  const name = `${code} ${detail} ${seconds}`;
  const problem = known.get(name) ?? new Problem(code, detail, [], seconds);
  known.set(name, problem);
  return problem;
}
