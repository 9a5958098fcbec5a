"use client";

import { Pause, Play } from "lucide-react";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { AVAILABILITY, canLoad } from "@/lib/client/availability";
import { nameOrganization, shownOrganization } from "@/lib/client/shown-organization";

const LIVE_TEXTS: Record<LiveState, string> = {
  live: "Live",
  connecting: "Connecting",
  paused: "Paused",
  stopped: "Not connected",
  frozen: "Not updating",
};

/** Whether a list is live, and the button that pauses it. */
export function LiveButton({ state, onPress }: { state: LiveState; onPress: () => void }) {
  const isPaused = state === "paused";
  const dot = {
    live: "bg-success",
    connecting: "bg-line-strong",
    paused: "bg-line-strong",
    stopped: "bg-danger",
    frozen: "bg-warning",
  };
  return (
    <div className="flex items-center gap-3">
      <span role="status" className="inline-flex items-center gap-2 text-small text-ink-soft">
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

/** `frozen`: it is connected, and who would change the list is away. */
type LiveState = "live" | "connecting" | "paused" | "stopped" | "frozen";

/** The server sends something every five seconds. If nothing comes for this long, it hangs, or what it reads does. */
const SILENT_MS = 15_000;

/** After the server refused or ended the stream. */
const RETRY_MS = 10_000;

interface Live<Changes> {
  /** Where the changes are streamed, without a query. */
  path: string;
  /** The list's filter. */
  query: string;
  /** The position at which the list was read; undefined until it is. */
  position: string | undefined;
  isPaused: boolean;
  onChanges: (changes: Changes) => void;
}

/** Follows a list, starting at its position. A hidden tab closes its connection and resumes when it is shown. */
export function useLive<Changes>({ path, query, position, isPaused, onChanges }: Live<Changes>): LiveState {
  const [state, setState] = useState<LiveState>("connecting");
  const [turn, setTurn] = useState(0);
  const isVisible = useVisibility();
  const reached = useRef<{ from: string; at: string }>(undefined);
  const take = useEffectEvent(onChanges);

  useEffect(() => {
    if (position === undefined || isPaused || !isVisible) return;
    if (reached.current?.from !== position) reached.current = { from: position, at: position };
    const { at } = reached.current;
    const parameters = new URLSearchParams(query);
    parameters.set("after", at);
    const source = new EventSource(`${path}?${nameOrganization(parameters.toString(), shownOrganization())}`);
    const keep = (event: Event) => {
      listen();
      if (event instanceof MessageEvent && event.lastEventId !== "")
        reached.current = { from: position, at: event.lastEventId };
      setState("live");
    };
    let retry: ReturnType<typeof setTimeout> | undefined;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const listen = () => {
      clearTimeout(silence);
      silence = setTimeout(stop, SILENT_MS);
    };
    const stop = () => {
      clearTimeout(silence);
      source.close();
      setState("stopped");
      retry = setTimeout(() => setTurn((last) => last + 1), RETRY_MS);
    };
    source.addEventListener("beat", keep);
    source.addEventListener("changes", (event) => {
      keep(event);
      if (!(event instanceof MessageEvent)) return;
      const changes: Changes = JSON.parse(event.data);
      take(changes);
    });
    source.addEventListener("end", stop);
    // The browser reconnects by itself, unless the server refused.
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) stop();
      else setState("connecting");
    });
    listen();
    return () => {
      clearTimeout(retry);
      clearTimeout(silence);
      source.close();
    };
  }, [path, query, position, isPaused, isVisible, turn]);

  return isPaused ? "paused" : state;
}

function useVisibility(): boolean {
  const [isVisible, setVisible] = useState(true);
  useEffect(() => {
    const update = () => setVisible(document.visibilityState === "visible");
    update();
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, []);
  return isVisible;
}

const EVERY_MS = 5_000;

/**
 * Refreshes the page regularly while it is visible, and immediately when it becomes visible again, to show others'
 * changes. Not while the page can't be loaded: an error would take the place of what is being read and typed.
 */
export function LiveRefresh() {
  const router = useRouter();
  const client = useQueryClient();
  useEffect(() => {
    const refresh = async () => {
      if (document.visibilityState !== "visible") return;
      const away = await client.fetchQuery(AVAILABILITY).catch(() => undefined);
      if (away !== undefined && canLoad(away)) router.refresh();
    };
    const begin = () => void refresh();
    const timer = setInterval(begin, EVERY_MS);
    document.addEventListener("visibilitychange", begin);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", begin);
    };
  }, [router, client]);
  return null;
}
