/** Calls of two customers, one after another and mixed: no answer may contain anything of the other customer. */
import { judgeCustomers } from "@/lib/domain/evidence/judge-customers";
import type { CallSeen, Round } from "@/lib/domain/evidence/judge-calls";
import {
  failed,
  passed,
  skipped,
  warned,
  type DrillAnswer,
  type DrillCall,
  type Stage,
  type Verdict,
} from "./stage";

const MIXED_ROUNDS = 5;
const FIX =
  "Read the state in each call with that call's x-PLATFORM-key, and keep it in local variables only: not in globals, caches or files.";

export async function drillTwoCustomers(stage: Stage): Promise<Verdict> {
  const { calls, customers } = stage;
  if (calls.length === 0) return skipped("The manifest declares no routes that can be called with a sample.");
  const seen: CallSeen[] = [];
  const send = async (customer: number, call: DrillCall, round: Round) => {
    const answer = await stage.send(customer, call);
    seen.push(toSeen(customer, call, round, answer));
    return answer;
  };
  for (const call of calls) await send(0, call, 1);
  const readsBefore = stage.countReads(0);
  for (const call of calls) await send(1, call, 2);
  const staleReads = stage.countReads(0) > readsBefore;
  const names = customers.map(({ name }) => name);
  stage.step(`${names[0]}, then ${names[1]}`, true, `${seen.length} calls, one after another.`);

  const mixed = Array.from({ length: MIXED_ROUNDS }, () =>
    calls.flatMap((call) => [0, 1].map((customer) => send(customer, call, 3))),
  ).flat();
  await Promise.all(mixed);
  const alone = (customer: number, what: string) =>
    seen.find((each) => each.round !== 3 && each.customer === customer && each.what === what);
  const worse = seen.find((each) => each.round === 3 && isWorse(each, alone(each.customer, each.what)));
  stage.step("Both at the same time", worse === undefined, `${mixed.length} calls at once.`);

  const markers = customers.map((each) => each.markers);
  const { result, detail } = judgeCustomers({ calls: seen, markers, staleReads });
  if (result === "FAIL") return failed(detail, FIX);
  if (worse !== undefined)
    return failed(
      `${worse.what} works alone, but fails when both customers call at the same time. ${worse.failure ?? ""}`,
      "Serve requests at the same time without sharing variables between them.",
    );
  if (result === "WARN") return warned(detail, FIX);
  if (result === "SKIPPED") return skipped(detail);
  if (seen.every(({ failure }) => failure !== null))
    return warned(
      "No call succeeded, so there was little to compare.",
      "Give both customers answers with which the app works, then run the drill again.",
    );
  return passed(`${seen.length} calls of two customers contained nothing of the other customer.`);
}

export function containsMarker(body: string | null, markers: readonly string[]): boolean {
  const text = body?.toLowerCase() ?? "";
  return markers.some((marker) => text.includes(marker.toLowerCase()));
}

function isWorse(mixed: CallSeen, alone: CallSeen | undefined): boolean {
  return alone !== undefined && alone.failure === null && mixed.failure !== null;
}

function toSeen(customer: number, call: DrillCall, round: Round, answer: DrillAnswer): CallSeen {
  const { kind, what } = call;
  const { status, failure, body, ms, reads } = answer;
  return { customer, round, kind, what, status, failure, fault: null, answer: body, durationMs: ms, reads };
}
