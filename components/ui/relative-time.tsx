"use client";

import { useEffect, useState } from "react";

/** "5 minutes ago", with the exact moment (UTC) on hover. */
export function RelativeTime({ at, className }: { at: Date | string; className?: string }) {
  const moment = new Date(at);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    // Server and browser may be a second apart. The server's text stays until the next tick.
    <time
      dateTime={moment.toISOString()}
      title={exactTime(moment)}
      className={className}
      suppressHydrationWarning
    >
      {relativeTime(moment, now)}
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
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });

/** `now` in milliseconds. Anything within 45 seconds is "just now", because clocks differ by that much. */
export function relativeTime(moment: Date, now: number): string {
  const seconds = Math.round((moment.getTime() - now) / 1000);
  if (Math.abs(seconds) < 45) return "just now";
  const [unit, length] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? (["minute", 60] as const);
  return relative.format(Math.trunc(seconds / length) || Math.sign(seconds), unit);
}

export function exactTime(moment: Date): string {
  return `${exact.format(moment)} UTC`;
}
