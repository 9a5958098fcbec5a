"use client";

import { useEffect, useState } from "react";
import { exactTime, writeTime } from "@/lib/domain/platform/zone";
import { useZone } from "./zone";

/** "5 minutes ago", with the exact moment in the reader's time zone on hover. */
export function RelativeTime({ at, className }: { at: Date | string; className?: string }) {
  const moment = new Date(at);
  const zone = useZone();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    // Server and browser may be a second apart. The server's text stays until the next tick.
    <time
      dateTime={moment.toISOString()}
      title={exactTime(moment, zone)}
      className={className}
      suppressHydrationWarning
    >
      {relativeTime(moment, now)}
    </time>
  );
}

/** The moment itself, with its time zone. */
export function ExactTime({ at }: { at: Date | string }) {
  const zone = useZone();
  return <time dateTime={new Date(at).toISOString()}>{exactTime(at, zone)}</time>;
}

/** The time of the day to the millisecond, for what follows each other that fast. */
export function TimeOfDay({ at, className = "" }: { at: string; className?: string }) {
  const zone = useZone();
  return (
    <time
      translate="no"
      dateTime={at}
      title={exactTime(at, zone)}
      className={`font-mono whitespace-nowrap text-ink-faint tabular-nums ${className}`}
    >
      {writeTime(at, "time", zone)}
    </time>
  );
}

const STEPS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Of what ends, people count the days: a link that works for 7 days ends "in 7 days", neither "next week" nor "in 6 days". */
const COUNTED = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const AHEAD = STEPS.filter(([unit]) => unit !== "week");

/** `now` in milliseconds. Anything within 45 seconds is "just now", because clocks differ by that much. */
export function relativeTime(moment: Date, now: number): string {
  const seconds = Math.round((moment.getTime() - now) / 1000);
  if (Math.abs(seconds) < 45) return "just now";
  if (seconds > 0) {
    const [unit, length] = AHEAD.find(([, size]) => seconds >= size) ?? (["minute", 60] as const);
    return COUNTED.format(Math.max(1, Math.round(seconds / length)), unit);
  }
  const [unit, length] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? (["minute", 60] as const);
  return relative.format(Math.trunc(seconds / length) || Math.sign(seconds), unit);
}
