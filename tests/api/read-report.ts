import { z } from "zod";

const status = z.looseObject({ status: z.string() });
const line = z.looseObject({
  ScenarioFinished: z
    .looseObject({
      recorder: z.looseObject({
        label: z.string(),
        cases: z.record(z.string(), z.unknown()).default({}),
        checks: z.record(z.string(), z.array(status)).default({}),
      }),
    })
    .optional(),
});

/** What Schemathesis did in a run, from its report in lines of JSON. */
export function readReport(text: string) {
  const found = { operations: new Set<string>(), cases: 0, failures: 0 };
  for (const each of text.split("\n").filter((one) => one !== "")) {
    const { ScenarioFinished: finished } = line.parse(JSON.parse(each));
    if (finished === undefined) continue;
    const { label, cases, checks } = finished.recorder;
    found.operations.add(label);
    found.cases += Object.keys(cases).length;
    found.failures += Object.values(checks)
      .flat()
      .filter((check) => check.status === "failure").length;
  }
  return found;
}
