import type { UninstallReason } from "@/lib/contract/catalog/installation-states";

/** As the customer chooses them and the publisher reads them. */
export const REASON_TEXTS: Record<UninstallReason, string> = {
  "not-needed": "We don't need it anymore",
  "missing-feature": "It lacks something we need",
  unreliable: "It fails or is too slow",
  "hard-to-use": "It is hard to configure",
  cost: "It costs too much",
  trial: "We only tried it",
  other: "Another reason",
};
