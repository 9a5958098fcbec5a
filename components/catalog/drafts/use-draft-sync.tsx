"use client";

import { Check, CircleAlert, CloudOff, LoaderCircle, PencilLine, TriangleAlert } from "lucide-react";
import { createContext, type ReactNode, use, useEffect, useState } from "react";
import { useStore } from "zustand";
import { TextLink } from "@/components/ui/links";
import { relativeTime } from "@/lib/domain/platform/relative-time";
import { useZone } from "@/components/ui/zone";
import { exactTime } from "@/lib/domain/platform/zone";
import { type Draft, DraftSync, type SyncPorts, type SyncState } from "./draft-sync";
import { claimTab, currentTab, findOpenTabs, LocalCopies, openStorage } from "./local-copies";

const SyncContext = createContext<DraftSync | undefined>(undefined);

interface DraftSyncProviderProps {
  draft: Draft;
  /** Under which the browser keeps unsaved changes. */
  copyName: string;
  /** The first one is used. */
  ports: Omit<SyncPorts, "copies">;
  /** Calls `changed` after each change of the text, until the returned function is called. Must not change. */
  subscribe: (changed: () => void) => () => void;
  children: ReactNode;
}

/** The last editor of each draft in this tab, by the name of its copy. One that was left still retries what it could not save. */
const lastEditors = new Map<string, DraftSync>();

/** Saves an editor's text for as long as it is mounted, and what is unsaved then until it is opened again. */
export function DraftSyncProvider({ draft, copyName, ports, subscribe, children }: DraftSyncProviderProps) {
  const [{ sync, copies }] = useState(() => {
    const copies = new LocalCopies(openStorage(), copyName, currentTab);
    return { sync: new DraftSync(draft, { ...ports, copies }), copies };
  });

  useEffect(() => {
    const last = lastEditors.get(copyName);
    if (last !== sync) last?.replace();
    lastEditors.set(copyName, sync);
    const unsubscribe = subscribe(sync.changed);
    const unwatch = watchPage(sync);
    let isUnmounted = false;
    void (async () => {
      await claimTab();
      const isOpen = await findOpenTabs();
      if (isUnmounted) return;
      const copy = copies.find(isOpen);
      if (copy !== undefined) await sync.restore(copy);
      // A page from the browser's or the router's cache may be older than the draft.
      if (!isUnmounted) await sync.check();
    })();
    return () => {
      isUnmounted = true;
      unsubscribe();
      unwatch();
      sync.leave();
    };
  }, [subscribe, sync, copies, copyName]);

  return <SyncContext value={sync}>{children}</SyncContext>;
}

export function useSync(): DraftSync {
  const sync = use(SyncContext);
  if (sync === undefined) throw new Error("DraftSyncProvider is missing");
  return sync;
}

/** `select` must return the same object for the same state. */
export function useSyncState<Selected>(select: (state: SyncState) => Selected): Selected {
  return useStore(useSync().store, select);
}

/** Saves or checks when the page is hidden, shown, back online or closed. Returns a function that stops this. */
function watchPage(sync: DraftSync): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const check = () => void sync.check();
  const listen = (event: string, listener: (event: Event) => void) =>
    window.addEventListener(event, listener, { signal });
  listen("focus", check);
  listen("online", () => void sync.saveNow());
  listen("pagehide", sync.leave);
  listen("beforeunload", (event) => {
    if (!sync.storeNow()) event.preventDefault();
  });
  const toggled = () => (document.visibilityState === "hidden" ? sync.leave() : check());
  document.addEventListener("visibilitychange", toggled, { signal });
  return () => controller.abort();
}

/** Whether the changes are saved, and where they are otherwise. */
export function SaveState() {
  const status = useSyncState((state) => state.status);
  const isStored = useSyncState((state) => state.isStored);
  const location = isStored ? "saved in this browser" : "not saved. Keep this page open";
  switch (status.type) {
    case "saved":
      return <Saved />;
    case "unsaved":
      return <Line icon={<PencilLine aria-hidden className="size-3.5" />}>Unsaved</Line>;
    case "saving":
      return <Line icon={<LoaderCircle aria-hidden className="size-3.5 animate-spin" />}>Saving…</Line>;
    case "offline":
      return (
        <Line tone="text-warning" icon={<CloudOff aria-hidden className="size-3.5" />} isNews>
          Offline, {location}
        </Line>
      );
    case "signed-out":
      return (
        <Line tone="text-warning" icon={<CloudOff aria-hidden className="size-3.5" />} isNews>
          Signed out, {location}. <SignInLink />
        </Line>
      );
    case "gone":
      return (
        <Line tone="text-danger" icon={<CircleAlert aria-hidden className="size-3.5" />} isNews>
          This listing was deleted, or you lost access to it.{" "}
          <TextLink href="/publish">Go to your listings</TextLink>
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
          Not saved: conflicting changes
        </Line>
      );
  }
}

function Saved() {
  const savedAt = useSyncState((state) => state.savedAt);
  const updatedAt = useSyncState((state) => state.base.updatedAt);
  const at = savedAt ?? (updatedAt === null ? undefined : Date.parse(updatedAt));
  const now = useNow(at);
  const zone = useZone();
  const icon = <Check aria-hidden className="size-3.5" />;
  if (at === undefined || Number.isNaN(at)) return <Line icon={icon}>No changes yet</Line>;
  return (
    <Line icon={icon}>
      <time
        dateTime={new Date(at).toISOString()}
        title={exactTime(at, zone)}
        className="whitespace-nowrap"
        suppressHydrationWarning
      >
        {savedText(at, now)}
      </time>
    </Line>
  );
}

/** Updates every second in the first minute after `at`, then every 30 seconds. */
function useNow(at: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (at === undefined) return;
    const timer = setTimeout(() => setNow(Date.now()), now - at < 60_000 ? 1_000 : 30_000);
    return () => clearTimeout(timer);
  }, [at, now]);
  // A save may be newer than the last update.
  return Math.max(now, at ?? 0);
}

/** "Saved 3 s ago". Both times in milliseconds. */
export function savedText(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 2) return "Saved just now";
  if (seconds < 60) return `Saved ${seconds} s ago`;
  if (seconds < 3600) return `Saved ${Math.floor(seconds / 60)} min ago`;
  return `Saved ${relativeTime(new Date(at), now)}`;
}

function SignInLink() {
  const here = typeof window === "undefined" ? "" : `${window.location.pathname}${window.location.search}`;
  return <TextLink href={`/sign-in?callbackUrl=${encodeURIComponent(here)}`}>Sign in</TextLink>;
}

interface LineProps {
  icon: ReactNode;
  tone?: string;
  /** Announced by screen readers. */
  isNews?: boolean;
  children: ReactNode;
}

function Line({ icon, tone = "text-ink-faint", isNews = false, children }: LineProps) {
  return (
    <p
      role={isNews ? "status" : undefined}
      className={`flex min-w-0 items-center gap-1.5 text-small leading-5 ${tone}`}
    >
      <span className="shrink-0">{icon}</span>
      <span className="min-w-0">{children}</span>
    </p>
  );
}
