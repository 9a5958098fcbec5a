"use client";

import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from "react";
import type { ManifestDraft } from "@/lib/contract/manifest-draft";
import { useToast } from "../model/toast";
import { useEditedListing, useEditorStore } from "../model/use-editor";
import { loadDraft, saveDraft } from "./draft-calls";
import { DraftSync, type SyncState } from "./draft-sync";
import { copyKeeper, findCopies } from "./local-copy";
import { claimTab, livingTabs } from "./open-tabs";

const SyncContext = createContext<DraftSync | undefined>(undefined);

/** Saves what the store holds, for as long as it is on the page. */
export function SyncProvider({ draft, children }: { draft: ManifestDraft; children: ReactNode }) {
  const store = useEditorStore();
  const { id } = useEditedListing();
  const tell = useToast();
  const [{ sync, ready }] = useState(() => {
    let tab: string | undefined;
    const ready = async () => {
      tab = await claimTab();
      return tab;
    };
    const text = {
      read: () => store.state().outline.text,
      replace: (text: string, what: string) => store.replaceText(text, { what }),
    };
    const ports = {
      text,
      load: () => loadDraft(id),
      save: (input: Parameters<typeof saveDraft>[1]) => saveDraft(id, input),
      copies: copyKeeper(
        () => localStorage,
        id,
        () => tab,
      ),
      tell,
    };
    return { sync: new DraftSync(draft, ports), ready };
  });

  useEffect(() => {
    let { text } = store.state().outline;
    const unsubscribe = store.subscribe(() => {
      const { outline } = store.state();
      if (outline.text === text) return;
      text = outline.text;
      sync.changed();
    });
    const unwatch = watchPage(sync);
    let gone = false;
    void (async () => {
      const tab = await ready();
      const [copy] = findCopies(() => localStorage, id, tab, await livingTabs());
      if (gone) return;
      if (copy !== undefined) await sync.restore(copy);
      // A page out of the browser's or the router's cache may be older than the draft.
      if (!gone) await sync.check();
    })();
    return () => {
      gone = true;
      unsubscribe();
      unwatch();
      sync.leave();
    };
  }, [store, sync, ready, id]);

  return <SyncContext value={sync}>{children}</SyncContext>;
}

export function useSync(): DraftSync {
  const sync = use(SyncContext);
  if (sync === undefined) throw new Error("no SyncProvider is above this");
  return sync;
}

/** What `select` answers must be the same object for the same state. */
export function useSyncState<Selected>(select: (state: SyncState) => Selected): Selected {
  const sync = useSync();
  const read = () => select(sync.state());
  return useSyncExternalStore(sync.subscribe, read, read);
}

/** Two events of one return to the page make one question. */
const CHECK_PAUSE_MS = 1_000;

/** What happens to the page: it is left, looked at again, online again, closed. Answers how to stop. */
function watchPage(sync: DraftSync): () => void {
  let checkedAt = Date.now();
  const check = () => {
    if (Date.now() - checkedAt < CHECK_PAUSE_MS) return;
    checkedAt = Date.now();
    void sync.check();
  };
  const turned = () => (document.visibilityState === "hidden" ? sync.leave() : check());
  const online = () => void sync.saveNow();
  const closing = (event: BeforeUnloadEvent) => {
    if (!sync.keepNow()) event.preventDefault();
  };
  const left = () => sync.leave();
  window.addEventListener("focus", check);
  window.addEventListener("online", online);
  window.addEventListener("pagehide", left);
  window.addEventListener("beforeunload", closing);
  document.addEventListener("visibilitychange", turned);
  return () => {
    window.removeEventListener("focus", check);
    window.removeEventListener("online", online);
    window.removeEventListener("pagehide", left);
    window.removeEventListener("beforeunload", closing);
    document.removeEventListener("visibilitychange", turned);
  };
}
