/** A request whose key opens nothing: the app must refuse it, whatever it knows from earlier calls. */
import { containsMarker } from "./two-customers";
import { describeAnswer, failed, passed, skipped, type DrillAnswer, type Stage, type Verdict } from "./stage";

const FIX =
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
    if (problem !== undefined) return failed(`${call.what}: ${problem}`, FIX);
    const health = await stage.app.findProblem();
    if (health !== undefined)
      return failed(`After ${call.what} with an ${key} key, the app is not healthy. ${health}`, FIX);
    const again = await stage.send(0, call);
    stage.step(`${call.what} with a good key`, again.status === good.status, describeAnswer(again));
    if (again.status !== good.status)
      return failed(`${call.what} works before, but not after a request with an ${key} key.`, FIX);
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
  if (status === 410) return "The app returned 410, which ends the subscription to events for good.";
  return undefined;
}
