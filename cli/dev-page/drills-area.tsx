import { useMutation } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, Play } from "lucide-react";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { UserText } from "@/components/ui/values";
import { callApi } from "@/lib/client/api";
import { type DevDrill, DRILL_NAMES, type DrillName, DRILLS } from "../dev/contract/drills";
import { useConnection, useDev } from "./frame/connection";

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
        <p aria-live="polite" className="min-w-0 flex-1 basis-64 text-small leading-5 text-ink-soft">
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
    ? "Drills deliberately cause failures that happen in production. They restart the app, and take about a minute in total."
    : `${parts.join(", ")}.`;
}

const STATES: Record<DevDrill["state"], readonly [Tone, string]> = {
  idle: ["neutral", "Not run"],
  running: ["accent", "Running"],
  passed: ["success", "Passed"],
  warned: ["warning", "Warning"],
  failed: ["danger", "Failed"],
  skipped: ["neutral", "Skipped"],
};

const NOTICES = {
  idle: "info",
  running: "info",
  passed: "success",
  warned: "warning",
  failed: "danger",
  skipped: "info",
} as const;

interface DrillCardProps {
  drill: DevDrill;
  onRun: () => void;
  isDisabled: boolean;
}

/** What a drill proves, what it did, and what follows. */
function DrillCard({ drill, onRun, isDisabled }: DrillCardProps) {
  const { name, state, ms, steps, verdict, fix } = drill;
  const { title, proves } = DRILLS[name];
  const [tone, text] = STATES[state];
  return (
    <section
      aria-label={title}
      className="flex min-w-0 flex-col gap-4 rounded-card border border-line bg-surface p-4 shadow-low sm:px-6"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lead font-semibold text-ink">
            {title}
            <Badge tone={tone} dot={state !== "idle"}>
              {text}
            </Badge>
            {ms !== null && (
              <span className="text-xs font-normal text-ink-faint tabular-nums">
                {(ms / 1000).toFixed(1)} s
              </span>
            )}
          </h2>
          <p className="mt-1 text-small leading-5 text-ink-faint">{proves}</p>
        </div>
        <Button
          size="small"
          onPress={onRun}
          isDisabled={isDisabled}
          isPending={state === "running"}
          aria-label={`Run ${title}`}
        >
          <Play aria-hidden className="size-4" />
          Run
        </Button>
      </div>
      {steps.length > 0 && (
        <ol className="flex min-w-0 flex-col gap-2">
          {steps.map((step, index) => (
            <Step key={index} step={step} />
          ))}
        </ol>
      )}
      {verdict !== null && (
        <Notice tone={NOTICES[state]} title={<UserText>{verdict}</UserText>}>
          {fix !== null && <UserText>{fix}</UserText>}
        </Notice>
      )}
    </section>
  );
}

function Step({ step: { ok, text, detail } }: { step: DevDrill["steps"][number] }) {
  const Icon = ok ? CircleCheck : CircleAlert;
  return (
    <li className="flex min-w-0 gap-2 text-small leading-5">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${ok ? "text-success" : "text-danger"}`} />
      <span className="min-w-0 wrap-anywhere">
        <span className="sr-only">{ok ? "Done: " : "Failed: "}</span>
        <UserText className="text-ink">{text}</UserText>
        {detail !== "" && <UserText className="block text-ink-faint">{detail}</UserText>}
      </span>
    </li>
  );
}
