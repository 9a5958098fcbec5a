"use client";

import { useEffect, useState } from "react";
import { exactTime, relativeTime } from "./time-text";

/** "5 minutes ago", with the exact moment (UTC) on hover. */
export function RelativeTime({ at, className }: { at: Date | string; className?: string }) {
  const moment = new Date(at);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    // Server and browser may be a second apart: the server's words stay until the next tick.
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
