"use client";

import { Pause, Play } from "lucide-react";
import { Button } from "@/components/ui/button";
import type { LiveState } from "./use-live";

const LIVE_TEXTS: Record<LiveState, string> = {
  live: "Live",
  connecting: "Connecting",
  paused: "Paused",
  stopped: "Not connected",
};

/** Whether a list is live, and the button that pauses it. */
export function LiveButton({ state, onPress }: { state: LiveState; onPress: () => void }) {
  const isPaused = state === "paused";
  const dot = {
    live: "bg-success",
    connecting: "bg-line-strong",
    paused: "bg-line-strong",
    stopped: "bg-danger",
  };
  return (
    <div className="flex items-center gap-3">
      <span role="status" className="inline-flex items-center gap-2 text-[13px] text-ink-soft">
        <span
          aria-hidden
          className={`size-2 rounded-full ${dot[state]} ${state === "live" ? "motion-safe:animate-pulse" : ""}`}
        />
        {LIVE_TEXTS[state]}
      </span>
      <Button size="small" onPress={onPress}>
        {isPaused ? <Play aria-hidden className="size-3.5" /> : <Pause aria-hidden className="size-3.5" />}
        {isPaused ? "Resume" : "Pause"}
      </Button>
    </div>
  );
}
