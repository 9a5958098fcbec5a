import type { TooltipContentProps } from "recharts";
import { formatMoment } from "./metrics";

interface ChartTooltipProps extends Pick<TooltipContentProps, "active" | "label" | "payload"> {
  format: (value: number) => string;
}

/** The numbers at one moment. */
export function ChartTooltip({ active, label, payload, format }: ChartTooltipProps) {
  if (!active || typeof label !== "number") return null;
  return (
    <div className="rounded-field border border-line bg-raised px-3 py-2 text-xs leading-5 text-ink shadow-high">
      <p className="text-ink-faint">{formatMoment(label)}</p>
      {payload.map(({ name, value, color, graphicalItemId }) => (
        <p key={graphicalItemId} className="flex items-center gap-2 tabular-nums">
          <span aria-hidden className="h-0.5 w-3 rounded-full" style={{ background: color }} />
          <span className="max-w-40 truncate">{name}</span>
          <span className="ml-auto pl-3 font-medium">{typeof value === "number" ? format(value) : "–"}</span>
        </p>
      ))}
    </div>
  );
}
