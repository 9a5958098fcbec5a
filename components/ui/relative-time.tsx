"use client";

import { useEffect, useState } from "react";
import { relativeTime } from "@/lib/domain/platform/relative-time";
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
