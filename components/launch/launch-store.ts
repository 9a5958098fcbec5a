/** The draft of one launch while its tab lives: changed, kept in the browser's storage, forgotten once it is launched. */
import { isSensitive } from "@/lib/contract/manifest";
import { findDraft, forgetDraft, keepDraft, type FoundDraft } from "./kept-draft";
import { EMPTY_DRAFT, type LaunchDraft } from "./launch-draft";
import type { LaunchOffer } from "./launch-offer";

export interface LaunchState {
  /** False until the browser's storage has been looked into. */
  isRead: boolean;
  draft: LaunchDraft;
  /** What was found in the storage, until the notice of it is put away. */
  found: FoundDraft | undefined;
  /** Names of settings that were entered as sensitive, here or on the visit before. */
  secrets: ReadonlySet<string>;
  /** False where the storage is full or closed. */
  isKept: boolean;
}

export interface LaunchStore {
  state: () => LaunchState;
  subscribe: (listener: () => void) => () => void;
  change: (changed: (draft: LaunchDraft) => LaunchDraft, offer: LaunchOffer) => void;
  putNoticeAway: () => void;
  startAnew: () => void;
  /** Keeps at once what waits to be kept. */
  flush: () => void;
  /** It is launched: the page still shows the draft until it is left. */
  forget: () => void;
  isForgotten: () => boolean;
}

export const UNREAD: LaunchState = {
  isRead: false,
  draft: EMPTY_DRAFT,
  found: undefined,
  secrets: new Set(),
  isKept: true,
};

const KEEP_AFTER_MS = 300;

export function openLaunchStore(storage: () => Storage, key: string, firstOffer: LaunchOffer): LaunchStore {
  const found = findDraft(storage, key, firstOffer);
  const draft = found?.draft ?? EMPTY_DRAFT;
  let state: LaunchState = { ...UNREAD, isRead: true, draft, found, secrets: new Set(found?.secrets) };
  let offer = firstOffer;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isForgotten = false;
  const listeners = new Set<() => void>();
  const set = (next: Partial<LaunchState>) => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const flush = () => {
    if (timer === undefined) return;
    stop();
    if (isForgotten) return;
    const isKept = keepDraft(storage, key, offer, state.draft, state.secrets);
    if (isKept !== state.isKept) set({ isKept });
  };
  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change: (changed, current) => {
      offer = current;
      const after = changed(state.draft);
      set({ draft: after, secrets: secretsAfter(state, after, offer) });
      stop();
      timer = setTimeout(flush, KEEP_AFTER_MS);
    },
    putNoticeAway: () => set({ found: undefined }),
    startAnew: () => {
      stop();
      forgetDraft(storage, key);
      set({ draft: EMPTY_DRAFT, secrets: new Set(), found: undefined });
    },
    flush,
    forget: () => {
      isForgotten = true;
      forgetDraft(storage, key);
    },
    isForgotten: () => isForgotten,
  };
}

/** A secret that is entered counts as one; one that is emptied, or entered as plain since, does not. */
function secretsAfter(state: LaunchState, draft: LaunchDraft, offer: LaunchOffer): ReadonlySet<string> {
  const [before, after] = [state.draft.settings, draft.settings];
  const changed = offer.settings.filter(({ name }) => before.get(name) !== after.get(name));
  if (changed.length === 0) return state.secrets;
  const secrets = new Set(state.secrets);
  for (const setting of changed) {
    if (isSensitive(setting) && after.has(setting.name)) secrets.add(setting.name);
    else secrets.delete(setting.name);
  }
  return secrets;
}

/** What was entered as a secret is not shown where another version declares the setting as plain. */
export function withoutFormerSecrets(
  draft: LaunchDraft,
  { settings }: Pick<LaunchOffer, "settings">,
  secrets: ReadonlySet<string>,
): LaunchDraft {
  const former = settings.filter(
    (setting) => !isSensitive(setting) && secrets.has(setting.name) && draft.settings.has(setting.name),
  );
  if (former.length === 0) return draft;
  const left = new Map(draft.settings);
  for (const { name } of former) left.delete(name);
  return { ...draft, settings: left };
}
