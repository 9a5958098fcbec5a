/** A request whose key opens nothing: the app must refuse it, whatever it knows from earlier calls. */
import { type CallSeen, judgeCustomers, type Round } from "@/lib/domain/moderation/judge-running";
import {
  describeAnswer,
  type DrillAnswer,
  type DrillCall,
  failed,
  passed,
  skipped,
  type Stage,
  type Verdict,
  warned,
} from "./stage";

const READ_WITH_KEY =
  "Read the state in each call with that call's x-PLATFORM-key, and return an error, such as 502, if it can't be read. Keep no state of earlier calls.";

export async function drillBadKey(stage: Stage, key: "expired" | "unknown"): Promise<Verdict> {
  let tried = 0;
  for (const call of stage.calls) {
    const good = await stage.send(0, call);
    if (good.reads === 0) {
      stage.step(call.what, true, "It doesn't read the state, so its key doesn't matter.");
      continue;
    }
    tried += 1;
    const bad = await stage.send(0, call, key);
    const problem = findProblem(bad, stage);
    stage.step(`${call.what} with an ${key} key`, problem === undefined, describeAnswer(bad));
    if (problem !== undefined) return failed(`${call.what}: ${problem}`, READ_WITH_KEY);
    const health = await stage.app.findProblem();
    if (health !== undefined)
      return failed(
        `After ${call.what} with an ${key} key, the app is not healthy. ${health}`,
        READ_WITH_KEY,
      );
    const again = await stage.send(0, call);
    stage.step(`${call.what} with a good key`, again.status === good.status, describeAnswer(again));
    if (again.status !== good.status)
      return failed(`${call.what} works before, but not after a request with an ${key} key.`, READ_WITH_KEY);
  }
  if (tried === 0) return skipped("No call that could be sent reads the state.");
  return passed(
    `The app refused ${tried === 1 ? "the call" : `${tried} calls`} with an ${key} key, and stayed healthy.`,
  );
}

function findProblem(bad: DrillAnswer, { customers }: Stage): string | undefined {
  const { status, fault, failure, body, reads } = bad;
  if (fault === "app-timed-out") return "The app didn't answer.";
  if (status === null) return `The app didn't answer. ${failure ?? ""}`;
  if (customers.some(({ markers }) => containsMarker(body, markers)))
    return "The answer contains a customer's values, although the state could not be read.";
  if (status >= 200 && status < 300)
    return reads === 0
      ? "The app answered without reading the state with this call's key, as if it kept the state of an earlier call."
      : `The app returned ${status} although the state API returned 404.`;
  if (status === 410) return "The app returned 410, which permanently ends the subscription to events.";
  return undefined;
}

const MIXED_ROUNDS = 5;
const KEEP_LOCAL =
  "Read the state in each call with that call's x-PLATFORM-key, and keep it in local variables only: not in globals, caches or files.";

/** Calls of two customers, one after another and mixed: no answer may contain anything of the other customer. */
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
  if (result === "FAIL") return failed(detail, KEEP_LOCAL);
  if (worse !== undefined)
    return failed(
      `${worse.what} works alone, but fails when both customers call at the same time. ${worse.failure ?? ""}`,
      "Serve requests at the same time without sharing variables between them.",
    );
  if (result === "WARN") return warned(detail, KEEP_LOCAL);
  if (result === "SKIPPED") return skipped(detail);
  if (seen.every(({ failure }) => failure !== null))
    return warned(
      "No call succeeded, so there was little to compare.",
      "Give both customers answers with which the app works, then run the drill again.",
    );
  return passed(`${seen.length} calls of two customers contained nothing of the other customer.`);
}

function containsMarker(body: string | null, markers: readonly string[]): boolean {
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
