/** What cores send: events, and calls that an app answers at once. */
import * as z from "zod";
import { EVENT_CATALOG } from "@/lib/contract/calls/event-catalog";
import { acceptedEvent } from "@/lib/contract/calls/gateway-answers";
import { coreEvent } from "@/lib/contract/platform/core";
import { parseInput, Problem, type ProblemCode } from "@/lib/contract/platform/problem";
import { type CallResult, callRouteAsCore } from "../../../calls/call-route";
import { acceptFromCore } from "../../../calls/deliveries/accept-event";
import { CORE_CREDENTIAL } from "./credentials";
import { readTrace } from "./exchange";
import { json, jsonText, route } from "./route";

export const APP_FAULTS: readonly ProblemCode[] = [
  "APP_FAILED",
  "APP_BUSY",
  "APP_NOT_RUNNING",
  "APP_TIMED_OUT",
];

const anyJson = z.unknown().meta({ description: "Any JSON." });

export const event = route({
  name: "POST /core/v1/events",
  credential: CORE_CREDENTIAL,
  work: "events",
  summary: "Send an event",
  description:
    "Stores the event and its deliveries before it responds, so that no crash loses them. A repeated event gets the first " +
    "response. Event IDs are remembered for as long as events are kept (30 days by default).",
  body: jsonText(coreEvent, EVENT_CATALOG[0]?.sample),
  status: 202,
  answer: json(acceptedEvent, {
    eventId: "019ab0c1-7e2d-7000-8000-000000000001",
    deliveries: 2,
    duplicate: false,
  }),
  problems: ["EVENT_ID_REUSED"],
  // Apps get the text as it was sent.
  run: ({ platform, caller, body, request }) =>
    acceptFromCore(platform, caller, parseInput(coreEvent, body), body, readTrace(request)),
});

export const call = route({
  name: "POST /r/<routeId>",
  credential: CORE_CREDENTIAL,
  work: "calls",
  summary: "Call an autofill or rater route of an app",
  description:
    "Forwarded immediately, with a deadline of 10 seconds. Never sent twice. The response is the app's.",
  parameters: { routeId: "The route's id, which the installation's page shows." },
  body: jsonText(anyJson, {
    operation: "newBusiness.create",
    policy: { vehicle: { vin: "YV1CZ852851194259" } },
  }),
  answer: jsonText(anyJson),
  problems: ["OPERATION_NOT_DECLARED", "NOT_FOUND", "WRONG_STATE", ...APP_FAULTS],
  run: async ({ platform, caller, parts: [routeId = ""], body, request }) =>
    readAnswer(await callRouteAsCore(platform, caller, routeId, body, readTrace(request))),
});

/** The app's answer unchanged, or the reason why there is none: 502, 503 or 504. Issues have the failure's stable code. */
function readAnswer({ answer, failure, failureCode, fault, issues }: CallResult): string {
  if (failureCode === null) return answer ?? "null";
  const detail = failure ?? "The app did not respond.";
  const own = fault === null ? [] : [{ code: fault, pointer: "", message: detail }];
  throw new Problem(failureCode, detail, issues.length > 0 ? issues : own);
}
