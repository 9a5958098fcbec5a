"use client";

import type { ReactNode } from "react";
import { Card, MoreNote } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { UserText } from "@/components/ui/values";
import { REASON_TEXTS } from "@/lib/contract/catalog/installation-states";
import type { UninstallReason } from "@/lib/contract/catalog/installation-states";
import { formatPercent } from "./charts/metrics";

interface AppMonthProps {
  funnel: { views: number; started: number; finished: number };
  installations: {
    /** `YYYY-MM-DD`, oldest first. */
    days: readonly string[];
    /** Of each version, a count for each day. */
    lines: readonly { name: string; counts: readonly number[] }[];
  };
  calls: readonly { number: string; calls: number; failed: number }[];
  answers: readonly {
    reason: UninstallReason;
    count: number;
    comments: readonly { text: string; number: string; at: string }[];
    /** How many earlier ones there are. */
    moreComments: number;
  }[];
}

/** How an app was found, launched, used and left in the last 30 days, by other organizations than its own. */
export function AppMonth({ funnel, installations, calls, answers }: AppMonthProps) {
  return (
    <Card
      title="Last 30 days"
      description="Other organizations only, without those that have a member in common with yours. Visitors are counted without cookies, each once a day. Bots don't count."
    >
      <div className="flex flex-col gap-8">
        <Funnel {...funnel} />
        <div className="grid gap-8 lg:grid-cols-2">
          <Part title="Installations by version">
            {installations.lines.length === 0 ? <Nothing /> : <Stack {...installations} />}
          </Part>
          <Part title="Failures by version">
            {calls.length === 0 ? <Nothing /> : <Failures calls={calls} />}
          </Part>
        </div>
        {answers.length > 0 && (
          <Part title="Why customers uninstalled it">
            <Answers answers={answers} />
          </Part>
        )}
      </div>
    </Card>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h3 className="mb-3 text-sm font-medium text-ink">{title}</h3>
      {children}
    </section>
  );
}

function Nothing() {
  return <p className="text-small text-ink-faint">None in this period</p>;
}

function Funnel({ views, started, finished }: AppMonthProps["funnel"]) {
  const steps = [
    ["Listing visitors", views],
    ["Launches started", started],
    ["Launches finished", finished],
  ] as const;
  return (
    <dl className="grid gap-4 sm:grid-cols-3">
      {steps.map(([name, count]) => (
        <div key={name} className="rounded-field border border-line bg-subtle px-4 py-3">
          <dt className="text-small text-ink-soft">{name}</dt>
          <dd className="text-xl font-semibold text-ink tabular-nums">{count.toLocaleString("en-US")}</dd>
        </div>
      ))}
    </dl>
  );
}

const COLORS = ["fill-accent-text", "fill-success", "fill-warning", "fill-ink-soft", "fill-line-strong"];
const WIDTH = 300;
const HEIGHT = 100;

/** A bar for each day, divided by version. The legend has the numbers of the last day. */
function Stack({ days, lines }: AppMonthProps["installations"]) {
  const totals = days.map((_, day) => lines.reduce((sum, { counts }) => sum + (counts[day] ?? 0), 0));
  const most = Math.max(1, ...totals);
  const step = WIDTH / days.length;
  const height = (count: number) => Math.round((count / most) * HEIGHT * 10) / 10;
  const draw = (line: number) =>
    days
      .map((_, day) => {
        const below = lines.slice(0, line).reduce((sum, { counts }) => sum + (counts[day] ?? 0), 0);
        const own = lines[line]?.counts[day] ?? 0;
        const top = HEIGHT - height(below + own);
        return own === 0
          ? ""
          : `M${day * step} ${top}h${step - 1.5}V${HEIGHT - height(below)}h-${step - 1.5}z`;
      })
      .join("");
  return (
    <figure aria-label={`Installations by version: ${totals.at(-1) ?? 0} now`}>
      <svg
        aria-hidden
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-28 w-full border-b border-line"
      >
        {lines.map(({ name }, line) => (
          <path key={name} d={draw(line)} className={COLORS[line]} />
        ))}
      </svg>
      <figcaption className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-small text-ink-soft tabular-nums">
        {lines.map(({ name, counts }, line) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <svg aria-hidden viewBox="0 0 8 8" className="size-2">
              <rect width={8} height={8} rx={2} className={COLORS[line]} />
            </svg>
            {name}: {(counts.at(-1) ?? 0).toLocaleString("en-US")}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function Failures({ calls }: Pick<AppMonthProps, "calls">) {
  return (
    <div className="max-h-60 overflow-y-auto rounded-field border border-line">
      <Table label="Failures by version">
        <TableHead columns={["Version", "Calls", "Failed"]} />
        <TableBody>
          {calls.map(({ number, calls: all, failed }) => (
            <TableRow key={number}>
              <TableCell className="font-medium tabular-nums">{number}</TableCell>
              <TableCell label="Calls" className="tabular-nums">
                {all.toLocaleString("en-US")}
              </TableCell>
              <TableCell label="Failed" className={`tabular-nums ${failed > 0 ? "text-danger" : ""}`}>
                {failed.toLocaleString("en-US")}
                {failed > 0 && ` (${formatShare(failed, all)})`}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

/** Never 0% of something, nor 100% of less than all. */
function formatShare(part: number, all: number): string {
  const percent = (part / all) * 100;
  if (percent < 0.1) return "under 0.1%";
  return part < all && percent > 99.9 ? "over 99.9%" : formatPercent(Math.round(percent * 10) / 10);
}

function Answers({ answers }: Pick<AppMonthProps, "answers">) {
  return (
    <ul className="flex flex-col divide-y divide-line rounded-field border border-line">
      {answers.map(({ reason, count, comments, moreComments }) => (
        <li key={reason} className="flex flex-col gap-2 px-4 py-3">
          <p className="flex justify-between gap-4 text-sm text-ink">
            {REASON_TEXTS[reason]} <span className="tabular-nums">{count.toLocaleString("en-US")}</span>
          </p>
          {comments.map(({ text, number, at }) => (
            <blockquote key={at} className="border-l-2 border-line pl-3 text-small leading-5 text-ink-soft">
              <UserText className="wrap-anywhere whitespace-pre-wrap">{text}</UserText>
              <footer className="text-ink-faint">
                Version {number}, <RelativeTime at={at} />
              </footer>
            </blockquote>
          ))}
          <MoreNote count={moreComments} one="comment" many="comments" />
        </li>
      ))}
    </ul>
  );
}
