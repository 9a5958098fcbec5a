import { Problem } from "@/lib/contract/problem";

/** The same for a malformed, foreign, expired or revoked key, so that an answer tells nothing about keys. */
export function unknownKey(): Problem {
  return new Problem(
    "NOT_FOUND",
    "This key has no state. Use the x-PLATFORM-key of the current request, and only while you handle that request.",
  );
}
