"use client";

import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import { isSensitive } from "@/lib/contract/manifest-terms";
import { settingPointer } from "@/lib/domain/configuration";
import { EMPTY_DRAFT, openLaunchSheet, type LaunchDraft, type LaunchOffer } from "./launch-draft";
import { deleteDraft, draftKey, findDraft, saveDraft, type DraftOwner, type FoundDraft } from "./saved-draft";

interface LaunchState {
  /** False until the browser's storage has been read. */
  isRead: boolean;
  draft: LaunchDraft;
  /** What was found in the storage, until its notice is dismissed. */
  found: FoundDraft | undefined;
  /** Names of settings that were entered as sensitive, now or on an earlier visit. */
  secrets: ReadonlySet<string>;
  /** Names of secrets of an earlier visit, which were not saved. */
  lost: ReadonlySet<string>;
  /** False where the storage is full or blocked. */
  isSaved: boolean;
}

/** The draft of one launch for the life of its tab: changed, saved in the browser's storage, deleted after the launch. */
export interface LaunchStore extends Pick<
  StoreApi<LaunchState>,
  "getState" | "getInitialState" | "subscribe"
> {
  change: (update: (draft: LaunchDraft) => LaunchDraft, offer: LaunchOffer) => void;
  dismissNotice: () => void;
  startOver: () => void;
  /** Saves pending changes at once. */
  flush: () => void;
  /** The app is launched. The page still shows the draft until it is left. */
  finish: () => void;
  isFinished: () => boolean;
}

const UNREAD: LaunchState = {
  isRead: false,
  draft: EMPTY_DRAFT,
  found: undefined,
  secrets: new Set(),
  lost: new Set(),
  isSaved: true,
};

const SAVE_AFTER_MS = 300;

export function openLaunchStore(storage: () => Storage, key: string, firstOffer: LaunchOffer): LaunchStore {
  // The initial state is what the server renders.
  const store = createStore<LaunchState>(() => UNREAD);
  const { getState, getInitialState, subscribe, setState } = store;
  const found = findDraft(storage, key, firstOffer);
  const lost: ReadonlySet<string> = new Set(found?.secrets);
  setState({ isRead: true, draft: found?.draft ?? EMPTY_DRAFT, found, secrets: lost, lost });
  let offer = firstOffer;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFinished = false;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const flush = () => {
    if (timer === undefined) return;
    stop();
    if (isFinished) return;
    const { draft, secrets } = getState();
    const isSaved = saveDraft(storage, key, offer, draft, secrets);
    if (isSaved !== getState().isSaved) setState({ isSaved });
  };
  return {
    getState,
    getInitialState,
    subscribe,
    change: (update, current) => {
      offer = current;
      setState((before) => {
        const draft = update(before.draft);
        return { draft, secrets: updateSecrets(before, draft, offer) };
      });
      stop();
      timer = setTimeout(flush, SAVE_AFTER_MS);
    },
    dismissNotice: () => setState({ found: undefined }),
    startOver: () => {
      stop();
      deleteDraft(storage, key);
      setState({ draft: EMPTY_DRAFT, secrets: new Set(), lost: new Set(), found: undefined });
    },
    flush,
    finish: () => {
      isFinished = true;
      deleteDraft(storage, key);
    },
    isFinished: () => isFinished,
  };
}

/** An entered secret counts; one that was emptied, or entered as plain since, does not. */
function updateSecrets(before: LaunchState, draft: LaunchDraft, offer: LaunchOffer): ReadonlySet<string> {
  const secrets = new Set(before.secrets);
  let isChanged = false;
  for (const setting of offer.settings) {
    const pointer = settingPointer(setting.name);
    const text = draft.answers.get(pointer)?.text;
    if (before.draft.answers.get(pointer)?.text === text) continue;
    isChanged = true;
    if (isSensitive(setting) && text !== undefined) secrets.add(setting.name);
    else secrets.delete(setting.name);
  }
  return isChanged ? secrets : before.secrets;
}

/** What was entered as a secret, and must not be shown where another version declares the setting as plain. */
export function findFormerSecrets(
  { settings }: Pick<LaunchOffer, "settings">,
  secrets: ReadonlySet<string>,
): ReadonlySet<string> {
  const former = settings.filter((setting) => !isSensitive(setting) && secrets.has(setting.name));
  return new Set(former.map(({ name }) => name));
}

/** For the life of the tab, so that connecting a tenant and coming back loses no secret either. Only in the browser. */
const stores = new Map<string, LaunchStore>();

function storeFor(key: string, offer: LaunchOffer): LaunchStore {
  const known = stores.get(key);
  if (known !== undefined) return known;
  const store = openLaunchStore(() => window.localStorage, key, offer);
  if (typeof window !== "undefined") stores.set(key, store);
  return store;
}

/** The saved draft of one launch, and its answers to the offered version. */
export function useLaunchStore(owner: DraftOwner, offer: LaunchOffer) {
  const key = draftKey(owner);
  const store = storeFor(key, offer);
  const state = useStore(store);
  useEffect(() => {
    addEventListener("pagehide", store.flush);
    return () => {
      removeEventListener("pagehide", store.flush);
      store.flush();
      if (store.isFinished()) stores.delete(key);
    };
  }, [key, store]);
  const { draft, secrets, lost } = state;
  const sheet = useMemo(
    () => openLaunchSheet(offer, draft, findFormerSecrets(offer, secrets), lost),
    [offer, draft, secrets, lost],
  );
  return { ...state, store, sheet };
}
