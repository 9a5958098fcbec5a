"use client";

import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import {
  EMPTY_DRAFT,
  type LaunchDraft,
  type LaunchOffer,
  openLaunchSheet,
} from "@/components/catalog/configuration-form/launch-draft";
import type { Setting } from "@/lib/contract/catalog/manifest";
import { isSensitive } from "@/lib/contract/platform/manifest-terms";
import { settingPointer } from "@/lib/domain/catalog/configuration";
import { isRecord } from "@/lib/domain/platform/json-text/json-value";

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
interface LaunchStore extends Pick<StoreApi<LaunchState>, "getState" | "getInitialState" | "subscribe"> {
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

// Saves a launch's answers in the browser's storage until it is launched. Never saves secrets.

interface SavedDraft {
  /** The version that the answers were given for. */
  number: string;
  /** ISO 8601. */
  savedAt: string;
  tenantId?: string;
  /** Pointer of the draft and text. */
  answers: [string, string][];
  /** Names of secrets that were entered. Their values must be entered again. */
  secrets: string[];
}

export interface FoundDraft {
  draft: LaunchDraft;
  number: string;
  savedAt: string;
  /** Names of sensitive settings that had a value. */
  secrets: string[];
}

/** Whose draft it is, of which app (`<org-name>/<app-name>`), and whether it is a Test Launch or a trial. */
export interface DraftOwner {
  userId: string;
  organizationId: string;
  app: string;
  test: boolean;
  trial?: boolean;
}

export function draftKey({ userId, organizationId, app, test, trial = false }: DraftOwner): string {
  const kind = trial ? "trial" : test ? "test" : "launch";
  return `launch-draft:${JSON.stringify([userId, organizationId, app, kind])}`;
}

/**
 * `secrets`: names of all settings that were entered as sensitive; another version may declare them as plain.
 * `storage` throws where the browser offers none, such as in a private window. Returns false if it is full or blocked.
 */
function saveDraft(
  storage: () => Storage,
  key: string,
  offer: Pick<LaunchOffer, "number" | "settings">,
  { tenantId, answers }: LaunchDraft,
  secrets: ReadonlySet<string>,
): boolean {
  const hidden = sensitivePointers(offer.settings, secrets);
  const saved: SavedDraft = {
    number: offer.number,
    savedAt: new Date().toISOString(),
    tenantId,
    answers: [...answers].flatMap(([pointer, { text }]): [string, string][] =>
      text === undefined || hidden.has(pointer) ? [] : [[pointer, text]],
    ),
    secrets: [...secrets],
  };
  try {
    if (isEmpty(saved)) storage().removeItem(key);
    else storage().setItem(key, JSON.stringify(saved));
    return true;
  } catch {
    return false;
  }
}

/** Deletes a draft that cannot be read. An answer to a setting that is sensitive now is dropped and deleted. */
function findDraft(
  storage: () => Storage,
  key: string,
  offer: Pick<LaunchOffer, "number" | "settings">,
): FoundDraft | undefined {
  const saved = readDraft(storage, key);
  if (saved === undefined || isEmpty(saved)) return undefined;
  const { number, savedAt, tenantId } = saved;
  const hidden = sensitivePointers(offer.settings, saved.secrets);
  const answers = saved.answers.filter(([pointer]) => !hidden.has(pointer));
  const exposed = saved.answers.flatMap(([pointer]) => hidden.get(pointer) ?? []);
  const secrets = new Set([...saved.secrets, ...exposed]);
  const draft: LaunchDraft = {
    tenantId,
    answers: new Map(answers.map(([pointer, text]) => [pointer, { action: "set", text }])),
  };
  if (exposed.length > 0) saveDraft(storage, key, offer, draft, secrets);
  return { draft, number, savedAt, secrets: [...secrets] };
}

function deleteDraft(storage: () => Storage, key: string): void {
  try {
    storage().removeItem(key);
  } catch {
    // Storage that cannot be written has no draft.
  }
}

function readDraft(storage: () => Storage, key: string): SavedDraft | undefined {
  try {
    const saved: unknown = JSON.parse(storage().getItem(key) ?? "");
    if (isSavedDraft(saved)) return saved;
  } catch {
    // Not JSON, or the browser denies access.
  }
  deleteDraft(storage, key);
  return undefined;
}

/** By hand, because the page does not need zod, which is as large as the page. */
function isSavedDraft(value: unknown): value is SavedDraft {
  if (!isRecord(value)) return false;
  const { number, savedAt, tenantId, answers, secrets } = value;
  return (
    typeof number === "string" &&
    typeof savedAt === "string" &&
    !Number.isNaN(Date.parse(savedAt)) &&
    (tenantId === undefined || typeof tenantId === "string") &&
    Array.isArray(answers) &&
    answers.every((answer) => isTexts(answer) && answer.length === 2) &&
    isTexts(secrets)
  );
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** Only a chosen tenant is not worth restoring. */
function isEmpty({ answers, secrets }: SavedDraft): boolean {
  return answers.length === 0 && secrets.length === 0;
}

/** Pointers of all sensitive settings, each with its name. */
function sensitivePointers(settings: readonly Setting[], others: Iterable<string>): Map<string, string> {
  const names = [...settings.filter(isSensitive).map(({ name }) => name), ...others];
  return new Map(names.map((name) => [settingPointer(name), name]));
}
