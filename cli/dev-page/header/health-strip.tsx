import type { DevHealth } from "@/cli/dev/contract/instance";
import { timeOfDay } from "@/components/app-log/moments";

/** One check each second. */
const SHOWN = 60;

/** The last minute of `GET /health`: a bar for each check, the newest on the right. */
export function HealthStrip({ health }: { health: readonly DevHealth[] }) {
  const shown = health.slice(-SHOWN);
  const last = shown.at(-1);
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <div role="img" aria-label={describe(shown)} className="flex h-4 items-stretch gap-px">
        {Array.from({ length: SHOWN - shown.length }, (_, index) => (
          <span key={index} className="w-1 rounded-[1px] bg-hover" />
        ))}
        {shown.map((check) => (
          <span
            key={check.at}
            title={title(check)}
            className={`w-1 rounded-[1px] ${check.ok ? "bg-success" : "bg-danger"}`}
          />
        ))}
      </div>
      <figcaption className="text-xs leading-4 text-ink-faint tabular-nums">
        {last === undefined ? "Health: not checked yet" : `Health: ${Math.round(last.ms)} ms, last minute`}
      </figcaption>
    </figure>
  );
}

function title({ at, ok, ms, problem }: DevHealth): string {
  return `${timeOfDay(at)}: ${ok ? `healthy in ${Math.round(ms)} ms` : (problem ?? "failed")}`;
}

function describe(checks: readonly DevHealth[]): string {
  if (checks.length === 0) return "No health checks yet";
  const healthy = checks.filter(({ ok }) => ok).length;
  return `Healthy in ${healthy} of the last ${checks.length} checks`;
}
