"use client";

import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { keyOfDraft, type DraftOwner } from "./kept-draft";
import { answersTo } from "./launch-draft";
import type { LaunchOffer } from "./launch-offer";
import {
  openLaunchStore,
  UNREAD,
  withoutFormerSecrets,
  type LaunchState,
  type LaunchStore,
} from "./launch-store";

/** For as long as the tab lives: going to connect a tenant and coming back loses no secret either. In the browser alone. */
const stores = new Map<string, LaunchStore>();

/** The draft of one launch as the offered version asks it, and how it is changed and kept. */
export function useLaunchStore(owner: DraftOwner, offer: LaunchOffer) {
  const key = keyOfDraft(owner);
  const state = useSyncExternalStore(
    useCallback((listener: () => void) => storeOf(key, offer).subscribe(listener), [key, offer]),
    () => storeOf(key, offer).state(),
    unread,
  );
  const actions = useMemo(
    () => ({
      change: (...change: Parameters<LaunchStore["change"]>) => stores.get(key)?.change(...change),
      putNoticeAway: () => stores.get(key)?.putNoticeAway(),
      startAnew: () => stores.get(key)?.startAnew(),
      forget: () => stores.get(key)?.forget(),
    }),
    [key],
  );
  useEffect(() => {
    const flush = () => stores.get(key)?.flush();
    addEventListener("pagehide", flush);
    return () => {
      removeEventListener("pagehide", flush);
      flush();
      if (stores.get(key)?.isForgotten() === true) stores.delete(key);
    };
  }, [key]);
  const draft = useMemo(
    () => withoutFormerSecrets(answersTo(offer, state.draft), offer, state.secrets),
    [offer, state],
  );
  return { ...state, draft, actions };
}

function unread(): LaunchState {
  return UNREAD;
}

function storeOf(key: string, offer: LaunchOffer): LaunchStore {
  const known = stores.get(key);
  if (known !== undefined) return known;
  const store = openLaunchStore(() => localStorage, key, offer);
  stores.set(key, store);
  return store;
}
