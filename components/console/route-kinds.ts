import type { RouteKind } from "@/lib/contract/installation";

export const KIND_WORDS: Record<RouteKind, string> = {
  webhook: "Webhook",
  autofill: "Autofill",
  rater: "External rater",
  lifecycle: "Lifecycle",
};
