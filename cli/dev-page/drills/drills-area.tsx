import { useMutation } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { Button } from "@/components/ui/button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { DRILL_NAMES, type DevDrill, type DrillName } from "@/cli/dev/contract/drills";
import { callApi } from "@/lib/client/api";
import { useConnection, useDev } from "../connection/dev-context";
import { DrillCard } from "./drill-card";

/** What goes wrong in production, on purpose. */
export function DrillsArea() {
  const drills = useDev("drills");
  const isLive = useConnection() === "live";
  const run = useMutation({
    // One after the other: each needs the app for itself.
    mutationFn: async (names: readonly DrillName[]) => {
      for (const name of names) await callApi("POST", `/api/dev/drills/${name}`);
    },
  });
  const isRunning = run.isPending || drills.some(({ state }) => state === "running");
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p aria-live="polite" className="min-w-0 flex-1 basis-64 text-[13px] leading-5 text-ink-soft">
          {summarize(drills)}
        </p>
        <Button
          tone="primary"
          onPress={() => run.mutate(DRILL_NAMES)}
          isPending={run.isPending && run.variables.length > 1}
          isDisabled={!isLive || isRunning}
        >
          <Play aria-hidden className="size-4" />
          Run all
        </Button>
      </div>
      <ProblemNotice error={run.error} />
      <ul className="flex min-w-0 flex-col gap-3">
        {drills.map((drill) => (
          <li key={drill.name}>
            <DrillCard
              drill={drill}
              onRun={() => run.mutate([drill.name])}
              isDisabled={!isLive || isRunning}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

const SUMMED_UP = [
  ["passed", "passed"],
  ["warned", "passed with a warning"],
  ["failed", "failed"],
  ["skipped", "skipped"],
] as const;

function summarize(drills: readonly DevDrill[]): string {
  const parts = SUMMED_UP.flatMap(([state, text]) => {
    const count = drills.filter((drill) => drill.state === state).length;
    return count === 0 ? [] : [`${count} ${text}`];
  });
  return parts.length === 0
    ? "Drills make happen on purpose what goes wrong in production. They restart the app and take about a minute together."
    : `${parts.join(", ")}.`;
}
