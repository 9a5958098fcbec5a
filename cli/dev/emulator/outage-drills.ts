/** The core that the app calls is slow, or never answers: the app must still answer in time. */
import { setTimeout as sleep } from "node:timers/promises";
import {
  describeAnswer,
  type DrillCall,
  failed,
  isOk,
  passed,
  sendAll,
  type Sent,
  skipped,
  type Stage,
  type Verdict,
  warned,
} from "./stage";

const SLOW_MS = 2_000;
const SET_TIMEOUTS =
  "Give every request to the core a timeout well below 10 s, such as 5 s, and return an error or an answer without the core's data when it passes.";

export async function drillSlowCore(stage: Stage): Promise<Verdict> {
  const calling: DrillCall[] = [];
  for (const call of stage.calls) {
    const before = stage.core.requests();
    await stage.send(0, call);
    if (stage.core.requests() > before) calling.push(call);
  }
  if (calling.length === 0) return skipped("No sample call made the app call the core.");
  try {
    for (const speed of ["slow", "silent"] as const) {
      stage.core.set(speed, SLOW_MS);
      const answers = await Promise.all(
        calling.map(async (call) => ({ call, answer: await stage.send(0, call) })),
      );
      const what =
        speed === "slow" ? `the core answers after ${SLOW_MS / 1000} s` : "the core doesn't answer";
      for (const { call, answer } of answers)
        stage.step(`${call.what} while ${what}`, answer.status !== null, describeAnswer(answer));
      const late = answers.find(({ answer }) => answer.status === null);
      if (late !== undefined)
        return failed(
          `${late.call.what}: the app gave no answer while ${what}. ${late.answer.failure ?? ""}`,
          SET_TIMEOUTS,
        );
      const problem = await stage.app.findProblem();
      if (problem !== undefined)
        return failed(`While ${what}, the app became unhealthy. ${problem}`, SET_TIMEOUTS);
    }
  } finally {
    stage.core.set("normal");
  }
  const after = await stage.send(0, calling[0] ?? stage.calls[0] ?? missing());
  stage.step("With the core back", after.status !== null, describeAnswer(after));
  if (after.status === null)
    return failed("The app doesn't answer anymore when the core is back.", SET_TIMEOUTS);
  return passed("The app answered in time while the core was slow and while it was silent.");
}

function missing(): never {
  throw new Error("there is no call to send");
}

const READY_MS = 60_000;
const IN_PROGRESS = 12;
const STATELESS =
  "Keep nothing in memory or in files that later calls need. The platform restarts and moves apps at any time.";

/** The app ends, by SIGTERM or by kill -9 in the middle of calls. What it answers afterward must be what it answered before. */
export async function drillRestart(stage: Stage): Promise<Verdict> {
  const first = await sendAll(stage);
  if (first.length === 0) return skipped("The manifest declares no routes that can be called with a sample.");
  const second = await sendAll(stage);
  stage.step("Before the restart", true, `${first.length + second.length} calls.`);
  const { ready, stopped } = await stage.app.restart();
  stage.step("Restart", ready, stopped === "ended" ? "It ended after SIGTERM." : "It had to be killed.");
  if (!ready) return failed("The app doesn't become ready after a restart.", STATELESS);
  const after = await sendAll(stage);
  const problem = compare(first, second, after);
  stage.step("After the restart", problem === undefined, `${after.length} calls.`);
  if (problem !== undefined) return failed(problem, STATELESS);
  if (stopped === "killed")
    return warned(
      "The app answers the same after a restart, but didn't end within 10 s after SIGTERM.",
      "End the process on SIGTERM, after the requests in progress.",
    );
  return passed("The app answers the same after a restart.");
}

export async function drillKill(stage: Stage): Promise<Verdict> {
  const [call] = stage.calls;
  if (call === undefined) return skipped("The manifest declares no routes that can be called with a sample.");
  const before = await sendAll(stage);
  const interrupted = Array.from({ length: IN_PROGRESS }, (_, index) => {
    const next = stage.calls[index % stage.calls.length] ?? call;
    return stage.send(index % 2, next);
  });
  await sleep(2);
  await stage.app.kill();
  const lost = (await Promise.all(interrupted)).filter(({ status }) => status === null).length;
  stage.step("kill -9 during calls", true, `${lost} of ${IN_PROGRESS} calls got no answer, as expected.`);
  const ready = await stage.app.waitUntilReady(READY_MS);
  stage.step("The app starts again", ready, ready ? "It is ready." : "It didn't become ready.");
  if (!ready)
    return failed(
      "After kill -9, the app doesn't become ready again.",
      "Don't rely on a clean exit: remove stale locks at the start, and keep nothing in files. The log shows why it failed.",
    );
  const after = await sendAll(stage);
  const worse = after.find((each, index) => before[index]?.status !== each.status);
  stage.step("The next calls", worse === undefined, `${after.length} calls.`);
  if (worse !== undefined)
    return failed(`After kill -9, ${worse.call.what}: ${describeAnswer(worse)}.`, STATELESS);
  return passed("After kill -9 during calls, the app started again and answered as before.");
}

/** Bodies are compared only if two calls in a row got the same. */
function compare(
  first: readonly Sent[],
  second: readonly Sent[],
  after: readonly Sent[],
): string | undefined {
  for (const [index, now] of after.entries()) {
    const [one, two] = [first[index], second[index]];
    if (one === undefined || two === undefined) continue;
    if (isOk(one) && isOk(two) && !isOk(now))
      return `${now.call.what} fails after the restart: ${describeAnswer(now)}.`;
    if (one.body === two.body && now.body !== one.body)
      return `${now.call.what} answers differently after the restart, so it depends on something from before.`;
  }
  return undefined;
}
