"use client";

import { createContext, use, useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import type { ManifestDraft } from "@/lib/contract/manifest-draft";
import { useToast } from "../toast";
import { useEditedListing, useEditorStore } from "../use-editor";
import { loadDraft, saveDraft } from "./draft-calls";
import { DraftSync } from "./draft-sync";
import { copyKeeper, findCopies } from "./local-copy";
import type { SyncState } from "./sync-state";
import { claimTab, livingTabs } from "./tab-id";
import { watchPage } from "./watch-page";

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
