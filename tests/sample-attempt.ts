/** A call for tests: autofill, answered with 200. */
import type { AttemptSummary } from "@/lib/contract/calls/call-summary";

export function sampleAttempt(changed: Partial<AttemptSummary> = {}): AttemptSummary {
  return {
    id: "6f1b2c34-0000-4000-8000-000000000031",
    routeId: "6f1b2c34-0000-4000-8000-000000000102",
    deliveryId: null,
    kind: "autofill",
    target: "POST /autofill",
    startedAt: "2026-11-20T10:00:00.000Z",
    durationMs: 364,
    status: 200,
    failure: null,
    stateReads: 1,
    test: false,
    dueAt: null,
    heldBy: null,
    ...changed,
  };
}
