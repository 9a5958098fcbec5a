/** A call for tests: autofill, answered with 200. */
import type { AttemptSummary } from "@/lib/contract/calls/call-summary";
import type { CallChart, CallRow, CallView } from "@/lib/contract/insight/call";
import { listAnswerIssues } from "@/lib/domain/calls/explain-answer";

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

export function sampleCall(changed: Partial<CallView> = {}): CallView {
  const call: Omit<CallView, "answerIssues"> & Partial<CallView> = {
    ...sampleAttempt(),
    hook: null,
    eventType: "newBusiness.create",
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
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
      trial: false,
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
  return { answerIssues: listAnswerIssues(call), ...call };
}

export const callId = (number: number) => `019ab000-0000-7000-8000-0000000${String(10_000 + number)}`;

/** An autofill call, answered with 200. */
export function sampleCallRow(changed: Partial<CallRow> = {}): CallRow {
  const id = changed.id ?? callId(1);
  return {
    id,
    attemptId: id,
    kind: "autofill",
    target: "POST /autofill",
    eventType: "newBusiness.created",
    at: "2026-11-20T10:00:00.000Z",
    durationMs: 84,
    status: 200,
    failure: null,
    test: false,
    dueAt: null,
    heldBy: null,
    installation: { id: callId(90), title: "VIN autofill", tenant: "Production", test: false, trial: false },
    delivery: null,
    ...changed,
  };
}

export function sampleDelivery(changed: Partial<NonNullable<CallRow["delivery"]>> = {}) {
  const nextAttemptAt = new Date(Date.now() + 5 * 60_000).toISOString();
  return { id: callId(80), state: "DEAD" as const, attemptCount: 10, nextAttemptAt, ...changed };
}

/** A day of calls: busy at noon, with failures in the evening. */
export function sampleCallChart(): CallChart {
  const from = Date.parse("2026-11-20T00:00:00.000Z");
  const bucketMs = 1_800_000;
  const points = Array.from({ length: 48 }, (_, index) => {
    const calls = Math.round(40 + 38 * Math.sin((index / 48) * Math.PI * 2 - 1.6));
    const failed = index > 36 && index < 42 ? Math.round(calls / 4) : 0;
    const p50 = 20 + 12 * Math.abs(Math.sin(index / 5));
    return { at: new Date(from + index * bucketMs).toISOString(), calls, failed, p50, p95: p50 * 4 + index };
  });
  const p95s = (factor: number) => points.map(({ p95 }, index) => (index % 11 === 3 ? null : p95 * factor));
  return {
    from: new Date(from).toISOString(),
    to: new Date(from + 48 * bucketMs).toISOString(),
    bucketMs,
    partial: false,
    total: { calls: 1_920, failed: 31, p50: 28, p95: 142 },
    points,
    routes: [
      { kind: "autofill", path: "/autofill", calls: 1_204, failed: 0, p50: 22, p95: 96, p95s: p95s(0.7) },
      { kind: "webhook", path: "/events", calls: 640, failed: 31, p50: 35, p95: 210, p95s: p95s(1.5) },
      { kind: "rater", path: "/rate", calls: 76, failed: 0, p50: 310, p95: 1_240, p95s: p95s(3) },
    ],
    routesInAll: 3,
  };
}
