import { UserText } from "@/components/ui/user-text";
import { ROUTE_KIND_LABELS } from "@/components/call/route-kinds";
import type { CallChart } from "@/lib/contract/call-log";
import type { CallFilter } from "@/lib/contract/call-filter";
import { formatCount, formatLatency, formatShare } from "./metrics";

interface RouteTableProps {
  chart: CallChart;
  filter: CallFilter;
  change: (changed: CallFilter) => void;
}

const GRID = "grid grid-cols-4 gap-x-4 sm:grid-cols-[minmax(0,1fr)_5rem_5rem_5rem_5rem]";

const SHOWN = 8;

/** The busiest routes. A route narrows the page to its calls, and back. */
export function RouteTable({ chart, filter, change }: RouteTableProps) {
  return (
    <div>
      <div aria-hidden className={`hidden pb-2 text-xs font-medium text-ink-faint sm:grid ${GRID}`}>
        <span>Route</span>
        {["Calls", "Errors", "p50", "p95"].map((column) => (
          <span key={column} className="text-right">
            {column}
          </span>
        ))}
      </div>
      <ul aria-label="Routes" className="divide-y divide-line border-y border-line">
        {chart.routes.slice(0, SHOWN).map(({ kind, path, ...measures }) => {
          const isChosen = filter.kind === kind && filter.path === path;
          return (
            <li key={`${kind} ${path}`}>
              <button
                type="button"
                aria-pressed={isChosen}
                onClick={() => change(isChosen ? { kind: undefined, path: undefined } : { kind, path })}
                className={`w-full cursor-pointer py-1.5 text-left text-[13px] leading-6 hover:bg-subtle focus-visible:-outline-offset-2 ${GRID} ${isChosen ? "font-medium" : ""}`}
              >
                <span className="truncate font-mono text-ink max-sm:col-span-4">
                  <UserText>{path}</UserText>{" "}
                  <span className="font-sans text-xs text-ink-faint">{ROUTE_KIND_LABELS[kind]}</span>
                </span>
                <Measure label="Calls">{formatCount(measures.calls)}</Measure>
                <Measure label="Errors">{formatShare(measures)}</Measure>
                <Measure label="p50">{measures.p50 === null ? "–" : formatLatency(measures.p50)}</Measure>
                <Measure label="p95">{measures.p95 === null ? "–" : formatLatency(measures.p95)}</Measure>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Measure({ label, children }: { label: string; children: string }) {
  return (
    <span className="text-ink-soft tabular-nums sm:text-right">
      <span className="block text-xs leading-4 text-ink-faint sm:sr-only">{label}</span>
      {children}
    </span>
  );
}
