import { Problem } from "@/lib/contract/problem";
import type { Refusal } from "@/lib/server/limits/share";
import { CLASS_NAMES, type WorkClass } from "./work-class";

/** Whose limit a request exceeds, in words, and how many requests it allows at once. */
export interface Limit {
  whose: "Your organization" | "Your address" | "This tenant";
  most: number;
}

/** 429 if the caller's own share is used up, 503 if the platform is busy with others. */
export function explainRefusal(
  work: WorkClass,
  { whose, most }: Limit,
  { full, retryAfterSeconds }: Refusal,
): Problem {
  const what = CLASS_NAMES[work];
  if (full === "total") return overloaded(what, retryAfterSeconds);
  const detail = `${whose} has ${most} ${what} in progress, the most that the platform handles for it at once. Wait for some of them to finish, then try again.`;
  return new Problem("TOO_MANY_REQUESTS", detail, [], retryAfterSeconds);
}

export function overloaded(what: string, retryAfterSeconds: number): Problem {
  const detail = `The platform is busy with ${what} of many callers. Nothing is wrong with yours. Try again in a moment.`;
  return new Problem("OVERLOADED", detail, [], retryAfterSeconds);
}
