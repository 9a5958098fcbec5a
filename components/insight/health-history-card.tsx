import { Badge } from "@/components/ui/badge";
import { Card, MoreNote } from "@/components/ui/card";
import { HEALTH_STATES, type HealthHistory } from "@/lib/contract/insight/health";
import { HEALTH_LOOKS } from "./health-states";
import { HealthStrip } from "./health-strip";

export interface NamedHistory {
  /** Such as "version 1.4.0"; without it, the card is about one thing, which its title names. */
  name?: string;
  isRunning?: boolean;
  history: HealthHistory;
}

interface HealthHistoryCardProps {
  description: string;
  histories: readonly NamedHistory[];
  /** How many more versions ran. */
  more?: number;
}

/** Strips of the last day and the last month. */
export function HealthHistoryCard({ description, histories, more = 0 }: HealthHistoryCardProps) {
  return (
    <Card title="Health history" description={description}>
      <div className="flex flex-col gap-6">
        {histories.map(({ name, isRunning, history }) => (
          <div key={name ?? ""}>
            {name !== undefined && (
              <h3 className="mb-3 flex items-center gap-2 text-sm font-medium text-ink tabular-nums">
                <span className="first-letter:uppercase">{name}</span>
                {isRunning === true && <Badge tone="success">Running</Badge>}
              </h3>
            )}
            <div className="grid gap-x-8 gap-y-2 lg:grid-cols-2">
              <HealthStrip label="Last 24 hours" name={name} strip={history.day} />
              <HealthStrip label="Last 30 days" name={name} strip={history.month} />
            </div>
          </div>
        ))}
        <Legend histories={histories} />
        <MoreNote count={more} one="version" many="versions" />
      </div>
    </Card>
  );
}

/** What the bars mean. "No data" is explained only where there is none. */
function Legend({ histories }: Pick<HealthHistoryCardProps, "histories">) {
  const isUnknown = histories.some(({ history: { day, month } }) =>
    [...day.segments, ...month.segments].some(({ state }) => state === "UNKNOWN"),
  );
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-5 gap-y-1 text-xs leading-5 text-ink-soft">
      {HEALTH_STATES.filter((state) => state !== "UNKNOWN" || isUnknown).map((state) => (
        <li key={state} className="inline-flex items-center gap-1.5">
          <span aria-hidden className="flex h-4 w-2 flex-col justify-end">
            <span className={`block rounded-[2px] ${HEALTH_LOOKS[state].bar}`} />
          </span>
          {HEALTH_LOOKS[state].label}
        </li>
      ))}
    </ul>
  );
}
