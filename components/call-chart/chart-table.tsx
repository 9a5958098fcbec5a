import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { CallChart } from "@/lib/contract/call-log";
import { formatCount, formatLatency, formatMoment, formatShare } from "./metrics";

interface ChartTableProps {
  chart: CallChart;
  onSelect: (from: number, to: number) => void;
}

/** The chart's numbers, for those who would rather read, or can't see the chart. A time selects its calls. */
export function ChartTable({ chart, onSelect }: ChartTableProps) {
  const points = chart.points.filter(({ calls }) => calls > 0).reverse();
  return (
    <div className="max-h-80 overflow-y-auto rounded-field border border-line">
      <Table label="Calls over time">
        <TableHead columns={["From", "Calls", "Failed", "Error rate", "p50", "p95"]} />
        <TableBody>
          {points.map((point) => {
            const at = Date.parse(point.at);
            return (
              <TableRow key={point.at}>
                <TableCell>
                  <button
                    type="button"
                    onClick={() => onSelect(at, at + chart.bucketMs)}
                    className="cursor-pointer rounded-sm py-0.5 text-accent-text hover:underline"
                  >
                    {formatMoment(at)}
                  </button>
                </TableCell>
                <Measure label="Calls">{formatCount(point.calls)}</Measure>
                <Measure label="Failed">{formatCount(point.failed)}</Measure>
                <Measure label="Error rate">{formatShare(point)}</Measure>
                <Measure label="p50">{point.p50 === null ? "–" : formatLatency(point.p50)}</Measure>
                <Measure label="p95">{point.p95 === null ? "–" : formatLatency(point.p95)}</Measure>
              </TableRow>
            );
          })}
        </TableBody>
      </Table>
    </div>
  );
}

function Measure({ label, children }: { label: string; children: string }) {
  return (
    <TableCell label={label} className="tabular-nums">
      {children}
    </TableCell>
  );
}
