import type { RouteKind } from "@/lib/contract/installation-states";

export const ROUTE_KIND_LABELS: Record<RouteKind, string> = {
  webhook: "Webhook",
  autofill: "Autofill",
  rater: "External rater",
  lifecycle: "Lifecycle",
  endpoint: "Endpoint",
};
