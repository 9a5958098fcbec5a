/** A call for tests: autofill, answered with 200, recorded, its state read once. */
import type { CallView } from "@/lib/contract/insight/call";
import { sampleAttempt } from "./sample-attempt";

export function sampleCall(changed: Partial<CallView> = {}): CallView {
  return {
    ...sampleAttempt(),
    hook: null,
    eventType: "newBusiness.create",
    fault: null,
    queueMs: null,
    platformMs: 4,
    endedAt: "2026-11-20T10:00:00.364Z",
    stateReadAt: "2026-11-20T10:00:00.012Z",
    stateLastReadAt: "2026-11-20T10:00:00.012Z",
    stateRevision: 6,
    stateSettings: ["key", "region"],
    recorded: true,
    payload: '{"operation":"newBusiness.create","data":{"vin":"YV1"}}',
    payloadBytes: 55,
    answer: '{"make":"Volvo","year":2003,"electric":false}',
    answerBytes: 45,
    installation: {
      id: "6f1b2c34-0000-4000-8000-000000000001",
      state: "RUNNING",
      instance: { state: "READY" },
      test: false,
      title: "Telematics rater",
      tenantName: "Production",
      revision: 6,
    },
    address: "http://127.0.0.1:4000/r/6f1b2c34-0000-4000-8000-000000000102",
    delivery: null,
    event: null,
    log: { state: "hidden" },
    ...changed,
  };
}
