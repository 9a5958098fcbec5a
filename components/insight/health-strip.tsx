"use client";

import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { UserText } from "@/components/ui/values";
import { useZone } from "@/components/ui/zone";
import type { HealthSegment, HealthStrip as Strip } from "@/lib/contract/insight/health";
import { writeTime } from "@/lib/domain/platform/zone";
import { formatPercent } from "./charts/metrics";
import { describeStates, formatTimes, HEALTH_LOOKS } from "./health-states";

interface HealthStripProps {
  /** What it is about and which time, such as "Last 24 hours". */
  label: string;
  /** Which of several strips with this label it is, for screen readers. */
  name?: string;
  strip: Strip;
}

/**
 * The health of equal parts of a time. The one under the pointer is described below, in a place of its own. For the keyboard and for
 * screen readers, it is one slider across the parts.
 */
export function HealthStrip({ label, name, strip: { segments, healthy, since } }: HealthStripProps) {
  const [chosen, setChosen] = useState<number>();
  const zone = useZone();
  const last = segments.length - 1;
  const segment = chosen === undefined ? undefined : segments[chosen];
  const known = since === null ? "" : ` since ${writeTime(since, "minute", zone)}`;
  const summary = healthy === null ? "Did not run" : `${formatHealthy(healthy)} healthy${known}`;
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / width) * segments.length);
    setChosen(Math.max(0, Math.min(last, place)));
  };
  const move = (event: KeyboardEvent) => {
    const current = chosen ?? last;
    const next = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, next)));
  };
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap justify-between gap-x-4 text-small leading-5">
        <span className="text-ink-soft">{label}</span>
        <span className="font-medium text-ink tabular-nums">{summary}</span>
      </p>
      <div
        role="slider"
        tabIndex={0}
        aria-label={name === undefined ? `Health: ${label}` : `Health of ${name}: ${label}`}
        aria-valuemin={1}
        aria-valuemax={segments.length}
        aria-valuenow={(chosen ?? last) + 1}
        aria-valuetext={segment === undefined ? summary : describeSegment(segment, zone)}
        onKeyDown={move}
        onFocus={() => setChosen((was) => was ?? last)}
        onBlur={() => setChosen(undefined)}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={(event) => event.currentTarget !== document.activeElement && setChosen(undefined)}
        className="mt-2 flex h-8 cursor-crosshair touch-pan-y rounded-sm"
      >
        {segments.map(({ from, state }, index) => (
          <span key={from} className="flex min-w-0 flex-1 flex-col justify-end px-px">
            <span
              className={`block rounded-[2px] ${HEALTH_LOOKS[state].bar} ${chosen === index ? "outline-2 outline-offset-1 outline-ink" : ""}`}
            />
          </span>
        ))}
      </div>
      <div aria-hidden className="mt-2 min-h-15 text-small leading-5 text-ink-faint sm:min-h-10">
        {segment === undefined ? null : (
          <>
            <p className="line-clamp-2 text-ink-soft sm:line-clamp-1">
              {formatTimes(segment, zone)}: {describeStates(segment)}
            </p>
            <p className="truncate">
              <UserText>{segment.reasons.join(" ")}</UserText>
            </p>
          </>
        )}
      </div>
    </div>
  );
}

function describeSegment(segment: HealthSegment, zone: string): string {
  return [`${formatTimes(segment, zone)}: ${describeStates(segment)}.`, ...segment.reasons].join(" ");
}

/** 100% only if it was always up. Two decimals, as is common for uptimes. */
export function formatHealthy(percent: number): string {
  if (percent === 100 || percent < 99) return formatPercent(Math.round(percent * 10) / 10);
  return `${Math.min(percent, 99.99).toFixed(2)}%`;
}
