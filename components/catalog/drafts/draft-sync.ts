/** Saves the editor's text as the listing's draft, keeps a copy in the browser until it is saved, and finds conflicts. */
import { createStore } from "zustand/vanilla";
import type { ManifestDraft, SavedDraft, SaveDraftInput } from "@/lib/contract/catalog/manifest-draft";
import { findDifference } from "@/lib/domain/platform/json-text/change-history";
import { fingerprint, type FoundCopy, type LocalCopies, restoreBase } from "./local-copies";
import { classifyFailure, SaveTimer } from "./save-attempt";

/** A saved text with its revision. Of the drafts, only manifests are based on a version; the others' `baseVersionId` is null. */
export type Draft = ManifestDraft;

type SyncStatus =
  | { type: "saved" | "unsaved" | "saving" | "offline" | "signed-out" | "gone" | "conflict" }
  | { type: "refused"; reason: string };

export interface SyncState {
  status: SyncStatus;
  /** The newest saved draft that is part of the text here. */
  base: Draft;
  /** When this page last saved, by this machine's clock. */
  savedAt: number | undefined;
  /** The published version that the text was last compared with; sent with the next save. */
  baseVersionId: string | null;
  /** The draft someone else saved. Nothing is sent until the user has resolved the conflict. */
  theirs: Draft | undefined;
  /** Unsaved changes are stored in this browser. */
  isStored: boolean;
}

export interface SyncPorts {
  /** What is edited, within a sentence, such as "the manifest". */
  subject: string;
  text: { read: () => string; replace: (text: string, what: string) => void };
  /** The changes of both, and `mine` where both changed the same. Undefined if the texts can't be merged. */
  merge: (base: string, mine: string, theirs: string) => { text: string; conflicts: number } | undefined;
  load: () => Promise<Draft>;
  save: (input: SaveDraftInput) => Promise<SavedDraft>;
  copies: Pick<LocalCopies, "store" | "remove">;
  notify: (message: string) => void;
}

const STORE_EVERY_MS = 300;
const MAX_UNCONFIRMED = 200;

export class DraftSync {
  readonly store;
  readonly #timer = new SaveTimer(() => void this.#flush());
  #saving: Promise<void> | undefined;
  #storeTimer: ReturnType<typeof setTimeout> | undefined;
  #storedAt = 0;
  #isReplaced = false;
  /** Fingerprints of texts that were sent without a response: the server may have saved one of them. */
  #unconfirmed: readonly string[] = [];

  constructor(
    draft: Draft,
    private readonly ports: SyncPorts,
  ) {
    this.store = createStore<SyncState>(() => ({
      status: { type: "saved" },
      base: draft,
      savedAt: undefined,
      baseVersionId: draft.baseVersionId,
      theirs: undefined,
      isStored: false,
    }));
  }

  isClean(): boolean {
    const { base, baseVersionId, theirs } = this.#state;
    const isBase = this.ports.text.read() === base.text && baseVersionId === base.baseVersionId;
    return isBase && theirs === undefined;
  }

  /** Call after each change of the text: stores a copy at once and saves a second after the last change. */
  readonly changed = (): void => {
    if (this.isClean() && this.#saving === undefined) return this.#settle();
    this.#storeSoon();
    const { type } = this.#state.status;
    if (type === "conflict" || type === "saving") return;
    if (type === "saved" || type === "refused" || type === "gone") this.#set({ status: { type: "unsaved" } });
    if (type !== "signed-out") this.#timer.afterChange();
  };

  /** Returns whether everything is saved. */
  async saveNow(): Promise<boolean> {
    if (this.#saving !== undefined) await this.#saving;
    await this.#flush();
    return this.isClean();
  }

  /** Looks for a newer draft, and retries what couldn't be sent. */
  async check(): Promise<void> {
    if (this.#saving !== undefined) return;
    const { base } = this.#state;
    try {
      const server = await this.ports.load();
      // A save that started meanwhile detects a newer draft itself.
      if (this.#saving === undefined && this.#state.base === base) this.#receive(server);
    } catch (error) {
      const failure = classifyFailure(error);
      if (failure.type === "gone" || (failure.type === "signed-out" && !this.isClean())) this.#fail(failure);
    }
  }

  takeTheirs(): void {
    const { theirs } = this.#state;
    if (theirs !== undefined)
      this.#continueFrom(theirs, theirs.text, `Use ${possessiveEditorName(theirs)} changes`);
  }

  keepMine(): void {
    const { theirs } = this.#state;
    if (theirs !== undefined) this.#continueFrom(theirs, this.ports.text.read(), "");
  }

  /** Returns the number of conflicting changes, or undefined when the texts can't be merged. */
  merge(): number | undefined {
    const { theirs, base } = this.#state;
    if (theirs === undefined) return undefined;
    const merged = this.ports.merge(base.text, this.ports.text.read(), theirs.text);
    if (merged === undefined) return undefined;
    this.#continueFrom(theirs, merged.text, `Merge ${possessiveEditorName(theirs)} changes`);
    return merged.conflicts;
  }

  /** Records that the text was compared with another published version. */
  compareWith(versionId: string): void {
    this.#set({ baseVersionId: versionId });
    this.changed();
    void this.saveNow();
  }

  /** The server changed the draft at the user's request. */
  adopt(draft: Draft, what: string): void {
    this.#continueFrom(draft, draft.text, what);
  }

  /** Restores unsaved changes of an earlier page of this tab, or of a closed tab. */
  async restore(copy: FoundCopy): Promise<void> {
    const server = await this.#newestDraft(copy.revision);
    const base = restoreBase(copy);
    const mine = this.#withTypedText(base, copy.text);
    const isSaved = mine === server.text;
    if (isSaved || server.text === base || copy.sent.includes(fingerprint(server.text))) {
      this.#set({ base: server, baseVersionId: (isSaved ? server : copy).baseVersionId });
    } else {
      this.#set({
        base: { ...server, text: base, revision: copy.revision },
        theirs: server,
        baseVersionId: copy.baseVersionId,
        status: { type: "conflict" },
      });
    }
    if (mine !== this.ports.text.read()) this.ports.text.replace(mine, "Restore unsaved changes");
    this.storeNow();
    copy.discard();
    this.changed();
    await this.#flush();
  }

  /** Returns false when there are unsaved changes that couldn't be stored in the browser. */
  storeNow(): boolean {
    this.#cancelStore();
    if (this.#isReplaced || this.isClean()) return true;
    const { base, baseVersionId } = this.#state;
    const text = this.ports.text.read();
    const isStored = this.ports.copies.store({
      text,
      revision: base.revision,
      baseVersionId,
      base: findDifference(base.text, text),
      sent: [...this.#unconfirmed],
    });
    this.#storedAt = Date.now();
    if (isStored !== this.#state.isStored) this.#set({ isStored });
    return isStored;
  }

  /** Stores unsaved changes, and sends them if the page lives long enough. */
  readonly leave = (): void => {
    this.storeNow();
    if (!this.isClean()) void this.#flush();
  };

  /** The draft was opened again in this tab, with what is unsaved here. From now on only the new editor saves and stores it. */
  replace(): void {
    this.#isReplaced = true;
    this.#timer.stop();
    this.#cancelStore();
  }

  get #state(): SyncState {
    return this.store.getState();
  }

  #set(changed: Partial<SyncState>): void {
    this.store.setState(changed);
  }

  async #flush(): Promise<void> {
    if (this.#isReplaced || this.#saving !== undefined || this.#state.theirs !== undefined) return;
    if (this.isClean()) return this.#settle();
    this.#timer.stop();
    this.#saving = this.#send().finally(() => {
      this.#saving = undefined;
    });
    await this.#saving;
  }

  async #send(): Promise<void> {
    const { base, baseVersionId } = this.#state;
    const text = this.ports.text.read();
    this.#set({ status: { type: "saving" } });
    this.#unconfirmed = [...this.#unconfirmed, fingerprint(text)].slice(-MAX_UNCONFIRMED);
    try {
      const saved = await this.ports.save({ text, revision: base.revision, baseVersionId });
      this.#unconfirmed = [];
      this.#timer.reset();
      this.#set({ base: { ...saved, text }, savedAt: Date.now() });
      if (this.isClean()) return this.#settle();
      this.#set({ status: { type: "unsaved" } });
      this.#storeSoon();
      this.#timer.afterChange();
    } catch (error) {
      const failure = classifyFailure(error);
      if (failure.type === "stale") await this.#loadNewer();
      else this.#fail(failure);
    }
  }

  async #loadNewer(): Promise<void> {
    const server = await this.ports.load().catch(classifyFailure);
    if (!("type" in server)) return this.#receive(server);
    this.#fail(server.type === "stale" ? { type: "offline" } : server);
  }

  #fail(status: SyncStatus): void {
    this.#set({ status });
    this.storeNow();
    if (status.type === "offline") this.#timer.afterFailure();
  }

  /** Compares the server's draft with the one here. */
  #receive(server: Draft): void {
    const { base, theirs } = this.#state;
    const text = this.ports.text.read();
    if (theirs !== undefined) {
      if (server.revision !== theirs.revision) this.#set({ theirs: server });
    } else if (server.revision === base.revision && server.text === base.text) {
      if (!this.isClean()) this.#timer.schedule(0);
    } else if (this.isClean()) {
      this.#continueFrom(server, server.text, `Use ${possessiveEditorName(server)} changes`);
      this.ports.notify(`${editorName(server)} changed ${this.ports.subject}. You now see the newest draft.`);
    } else if (server.text === text || this.#unconfirmed.includes(fingerprint(server.text))) {
      this.#continueFrom(server, text, "");
    } else {
      this.#set({ theirs: server, status: { type: "conflict" } });
      this.storeNow();
    }
  }

  /** Bases the text here on the server's draft. */
  #continueFrom(draft: Draft, text: string, what: string): void {
    const { base, baseVersionId } = this.#state;
    const usesDraft = baseVersionId === base.baseVersionId || text === draft.text;
    this.#unconfirmed = [];
    this.#set({
      base: draft,
      savedAt: undefined,
      theirs: undefined,
      status: { type: "unsaved" },
      baseVersionId: usesDraft ? draft.baseVersionId : baseVersionId,
    });
    if (text !== this.ports.text.read()) this.ports.text.replace(text, what);
    this.changed();
    // Not now: a save may still be handling its response.
    this.#timer.schedule(0);
  }

  /** A page from the browser's cache may be older than the copy. */
  async #newestDraft(revision: number): Promise<Draft> {
    if (revision === this.#state.base.revision) return this.#state.base;
    const server = await this.ports.load().catch(() => undefined);
    const { base } = this.#state;
    return server === undefined || server.revision < base.revision ? base : server;
  }

  /** Merges what was typed before the copy was found into the restored text. */
  #withTypedText(base: string, restored: string): string {
    const typed = this.ports.text.read();
    if (typed === this.#state.base.text || typed === restored) return restored;
    return this.ports.merge(base, typed, restored)?.text ?? restored;
  }

  #settle(): void {
    this.#timer.reset();
    this.#cancelStore();
    if (this.#isReplaced) return;
    this.ports.copies.remove();
    const { status, isStored } = this.#state;
    if (status.type !== "saved" || isStored) this.#set({ status: { type: "saved" }, isStored: false });
  }

  #storeSoon(): void {
    const delay = Math.max(0, this.#storedAt + STORE_EVERY_MS - Date.now());
    this.#storeTimer ??= setTimeout(() => this.storeNow(), delay);
  }

  #cancelStore(): void {
    clearTimeout(this.#storeTimer);
    this.#storeTimer = undefined;
  }
}

export function editorName({ updatedBy }: Pick<Draft, "updatedBy">): string {
  return updatedBy ?? "Someone else";
}

export function possessiveEditorName({ updatedBy }: Pick<Draft, "updatedBy">): string {
  return updatedBy === null ? "someone else's" : `${updatedBy}'s`;
}
