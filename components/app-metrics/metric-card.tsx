"use client";

import { useState } from "react";
import { formatMoment, type Moments } from "@/components/call-chart/metrics";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/lazy-part";
import { Skeleton } from "@/components/ui/skeleton";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { DescribedChart } from "./describe-charts";

/** The chart library is loaded when there is something to draw. */
const SeriesChart = lazyPart(
  () => import("@/components/call-chart/series-chart").then((module) => module.SeriesChart),
  <Skeleton className="h-44 w-full sm:h-56" />,
);

/** As high as a chart, so that nothing moves when it is loaded or when another range has nothing to draw. */
const BOX = "h-44 sm:h-56";

/** The last of an odd number has both columns. */
const WIDE = "lg:last:odd:col-span-2";

interface MetricCardProps {
  chart: DescribedChart;
  range: Moments & { bucketMs: number };
}

/** One metric over time, as a chart or a table. */
export function MetricCard({ chart, range }: MetricCardProps) {
  const [isTable, setTable] = useState(false);
  const { title, description, summary, empty, series, rows } = chart;
  return (
    <Card
      title={title}
      className={WIDE}
      actions={
        <Button
          size="small"
          aria-label={`${title}: show ${isTable ? "chart" : "table"}`}
          isDisabled={summary === undefined}
          onPress={() => setTable((was) => !was)}
        >
          {isTable ? "Show chart" : "Show table"}
        </Button>
      }
    >
      <p className="text-lg leading-6 font-semibold text-ink tabular-nums">{summary ?? "None"}</p>
      <p className="mb-4 text-[13px] leading-5 text-ink-faint">{description}</p>
      {summary === undefined ? (
        <p className={`flex items-center justify-center text-center text-ink-soft ${BOX}`}>{empty}</p>
      ) : isTable ? (
        <MetricTable chart={chart} />
      ) : (
        <figure aria-label={`${title} over time: ${summary}`}>
          <SeriesChart
            range={range}
            bucketMs={range.bucketMs}
            series={series}
            rows={rows}
            isStacked={chart.isStacked}
            smallest={chart.smallest}
            format={chart.format}
          />
        </figure>
      )}
    </Card>
  );
}

/** The chart's numbers, newest first, without the times that have none. */
function MetricTable({ chart: { title, series, rows, isStacked, format } }: { chart: DescribedChart }) {
  const columns = series.filter(({ key }) => key !== "limit");
  const shown = rows.filter(({ values }) =>
    columns.some(({ key }) => (isStacked ? (values[key] ?? 0) > 0 : (values[key] ?? null) !== null)),
  );
  return (
    <div className={`overflow-y-auto rounded-field border border-line ${BOX}`}>
      <Table label={`${title} over time`}>
        <TableHead columns={["From", ...columns.map(({ name }) => name)]} />
        <TableBody>
          {shown.toReversed().map(({ at, values }) => (
            <TableRow key={at}>
              <TableCell>{formatMoment(at)}</TableCell>
              {columns.map(({ key, name }) => {
                const value = values[key] ?? null;
                return (
                  <TableCell key={key} label={name} className="tabular-nums">
                    {value === null ? "–" : format(value)}
                  </TableCell>
                );
              })}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

/** In place of a card while its numbers are loaded. */
export function MetricSkeleton({ title }: { title: string }) {
  return (
    <Card title={title} className={WIDE} actions={<Skeleton className="h-7 w-24" />}>
      <Skeleton className="h-6 w-40" />
      <Skeleton className="mt-1 mb-4 h-4 w-60 max-w-full" />
      <Skeleton className={`w-full ${BOX}`} />
    </Card>
  );
}
