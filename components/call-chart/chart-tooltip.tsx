import { formatMoment } from "./metrics";
import type { Row, Series } from "./series";

interface ChartTooltipProps {
  row: Row;
  series: readonly Series[];
  format: (value: number) => string;
}

/** The numbers at one moment. */
export function ChartTooltip({ row, series, format }: ChartTooltipProps) {
  return (
    <div className="rounded-field border border-line bg-raised px-3 py-2 text-xs leading-5 text-ink shadow-high">
      <p className="whitespace-nowrap text-ink-faint">{formatMoment(row.at)}</p>
      {series.map(({ key, name, color }) => {
        const value = row.values[key] ?? null;
        return (
          <p key={key} className="flex items-center gap-2 whitespace-nowrap tabular-nums">
            <span aria-hidden className="h-0.5 w-3 rounded-full" style={{ background: color }} />
            <span className="max-w-40 truncate">{name}</span>
            <span className="ml-auto pl-3 font-medium">{value === null ? "–" : format(value)}</span>
          </p>
        );
      })}
    </div>
  );
}
