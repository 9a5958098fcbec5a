/** The core that the app calls is slow, or never answers: the app must still answer in time. */
import { describeAnswer, failed, passed, skipped, type DrillCall, type Stage, type Verdict } from "./stage";

const SLOW_MS = 2_000;
const FIX =
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
          FIX,
        );
      const problem = await stage.app.findProblem();
      if (problem !== undefined) return failed(`While ${what}, the app became unhealthy. ${problem}`, FIX);
    }
  } finally {
    stage.core.set("normal");
  }
  const after = await stage.send(0, calling[0] ?? stage.calls[0] ?? missing());
  stage.step("With the core back", after.status !== null, describeAnswer(after));
  if (after.status === null) return failed("The app doesn't answer anymore when the core is back.", FIX);
  return passed("The app answered in time while the core was slow and while it was silent.");
}

function missing(): never {
  throw new Error("there is no call to send");
}
