"use client";

import { Check, CircleAlert, CloudOff, LoaderCircle, PencilLine, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { TextLink } from "@/components/ui/text-link";
import { exactTime, relativeTime } from "@/components/ui/relative-time";
import { useSyncState } from "./use-sync";

/** Where what was typed is now, in a few words. */
export function SaveState() {
  const status = useSyncState((state) => state.status);
  const kept = useSyncState((state) => state.kept);
  const where = kept ? "kept here" : "not kept: leave this page open";
  switch (status.type) {
    case "saved":
      return <Saved />;
    case "unsaved":
      return <Line icon={<PencilLine aria-hidden className="size-3.5" />}>Unsaved</Line>;
    case "saving":
      return <Line icon={<LoaderCircle aria-hidden className="size-3.5 animate-spin" />}>Saving…</Line>;
    case "unreachable":
      return (
        <Line tone="text-warning" icon={<CloudOff aria-hidden className="size-3.5" />} isNews>
          Offline, {where}
        </Line>
      );
    case "signed-out":
      return (
        <Line tone="text-warning" icon={<CloudOff aria-hidden className="size-3.5" />} isNews>
          Signed out, {where}. <SignInLink />
        </Line>
      );
    case "refused":
      return (
        <Line tone="text-danger" icon={<CircleAlert aria-hidden className="size-3.5" />} isNews>
          Not saved: {status.reason}
        </Line>
      );
    case "conflict":
      return (
        <Line tone="text-warning" icon={<TriangleAlert aria-hidden className="size-3.5" />}>
          Changed elsewhere
        </Line>
      );
  }
}

function Saved() {
  const savedAt = useSyncState((state) => state.savedAt);
  const updatedAt = useSyncState((state) => state.known.updatedAt);
  const at = savedAt ?? (updatedAt === null ? undefined : Date.parse(updatedAt));
  const now = useNow(at);
  const icon = <Check aria-hidden className="size-3.5" />;
  if (at === undefined || Number.isNaN(at)) return <Line icon={icon}>No changes yet</Line>;
  return (
    <Line icon={icon}>
      <time
        dateTime={new Date(at).toISOString()}
        title={exactTime(new Date(at))}
        className="whitespace-nowrap"
        suppressHydrationWarning
      >
        {savedText(at, now)}
      </time>
    </Line>
  );
}

/** The present, as often as the words about `at` change. */
function useNow(at: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (at === undefined) return;
    const timer = setTimeout(() => setNow(Date.now()), savedTextLasts(at, now));
    return () => clearTimeout(timer);
  }, [at, now]);
  // A save since the last tick is not in the future.
  return Math.max(now, at ?? 0);
}

function SignInLink() {
  const here = typeof window === "undefined" ? "" : `${window.location.pathname}${window.location.search}`;
  return (
    <TextLink href={`/sign-in?callbackUrl=${encodeURIComponent(here)}`} prefetch={false}>
      Sign in
    </TextLink>
  );
}

interface LineProps {
  icon: ReactNode;
  tone?: string;
  /** Read out: unlike a save every few seconds, it has to be known. */
  isNews?: boolean;
  children: ReactNode;
}

function Line({ icon, tone = "text-ink-faint", isNews = false, children }: LineProps) {
  return (
    <p
      role={isNews ? "status" : undefined}
      className={`flex min-w-0 items-center gap-1.5 text-[13px] leading-5 ${tone}`}
    >
      <span className="shrink-0">{icon}</span>
      <span className="min-w-0">{children}</span>
    </p>
  );
}

/** "Saved 3 s ago". Both in milliseconds. */
export function savedText(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 2) return "Saved just now";
  if (seconds < 60) return `Saved ${seconds} s ago`;
  if (seconds < 3600) return `Saved ${Math.floor(seconds / 60)} min ago`;
  return `Saved ${relativeTime(new Date(at), now)}`;
}

/** How long the words stay true. */
function savedTextLasts(at: number, now: number): number {
  return now - at < 60_000 ? 1_000 : 30_000;
}
