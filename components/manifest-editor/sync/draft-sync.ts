/** Keeps the editor's text and the platform's draft the same: when to save, what to keep here, and when people must choose. */

import type { ManifestDraft, SavedDraft, SaveDraftInput } from "@/lib/contract/manifest-draft";
import { findDifference } from "@/lib/domain/json-text/change-history";
import { mergeManifests } from "@/lib/domain/manifest/compare/merge-manifests";
import { fingerprintOf } from "./local-copy";
import { baseOf, type CopyKeeper, type FoundCopy } from "./local-copy";
import { SaveTimer } from "./save-timer";
import { faultOf } from "./draft-calls";

const KEEP_EVERY_MS = 300;
const MOST_UNANSWERED = 200;

export class DraftSync {
  #state: SyncState;
  readonly #listeners = new Set<() => void>();
  readonly #timer = new SaveTimer(() => void this.#flush());
  #saving: Promise<void> | undefined;
  #checking: Promise<void> | undefined;
  #keeping: ReturnType<typeof setTimeout> | undefined;
  #keptAt = 0;
  /** Fingerprints of what was sent and never answered: the platform may hold one of them. */
  #unanswered: readonly string[] = [];

  constructor(
    draft: ManifestDraft,
    private readonly ports: SyncPorts,
  ) {
    const { baseVersionId } = draft;
    const status = { type: "saved" } as const;
    this.#state = { status, known: draft, savedAt: undefined, baseVersionId, theirs: undefined, kept: false };
  }

  readonly state = (): SyncState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  isClean(): boolean {
    const { known, baseVersionId, theirs } = this.#state;
    return (
      theirs === undefined && this.ports.text.read() === known.text && baseVersionId === known.baseVersionId
    );
  }

  /** The text is another one: kept here soon, saved a second after the last change. */
  readonly changed = (): void => {
    if (this.isClean() && this.#saving === undefined) return this.#settle();
    this.#keepSoon();
    const { type } = this.#state.status;
    if (type === "conflict" || type === "saving") return;
    if (type === "saved" || type === "refused") this.#set({ status: { type: "unsaved" } });
    if (type !== "signed-out") this.#timer.afterChange();
  };

  /** True once everything is saved. */
  async saveNow(): Promise<boolean> {
    if (this.#saving !== undefined) await this.#saving;
    await this.#flush();
    return this.isClean();
  }

  /** Has somebody else saved? Also the moment to try again what could not be sent. */
  readonly check = (): Promise<void> => {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  };

  takeTheirs(): void {
    const { theirs } = this.#state;
    if (theirs !== undefined) this.#goOnFrom(theirs, theirs.text, `Take the changes of ${nameOf(theirs)}`);
  }

  keepMine(): void {
    const { theirs } = this.#state;
    if (theirs !== undefined) this.#goOnFrom(theirs, this.ports.text.read(), "");
  }

  /** How many places both had changed; undefined when the texts cannot be merged. */
  merge(): number | undefined {
    const { theirs, known } = this.#state;
    if (theirs === undefined) return undefined;
    const merged = mergeManifests(known.text, this.ports.text.read(), theirs.text);
    if (merged === undefined) return undefined;
    this.#goOnFrom(theirs, merged.text, `Merge with the changes of ${nameOf(theirs)}`);
    return merged.conflicts.length;
  }

  /** The text was compared with another published version. */
  compareWith(versionId: string): void {
    this.#set({ baseVersionId: versionId });
    this.changed();
    void this.saveNow();
  }

  /** The platform changed the draft at our request. */
  adopt(draft: ManifestDraft, what: string): void {
    this.#goOnFrom(draft, draft.text, what);
  }

  /** What an earlier page of this tab, or a tab that is gone, could not save. */
  async restore(copy: FoundCopy): Promise<void> {
    const server = await this.#newestKnown(copy.revision);
    const base = baseOf(copy);
    const mine = this.#withTyped(base, copy.text);
    const fits = server.text === base || copy.sent.includes(fingerprintOf(server.text));
    if (mine === server.text || fits) {
      const { baseVersionId } = mine === server.text ? server : copy;
      this.#set({ known: server, baseVersionId });
    } else {
      const known = { ...server, text: base, revision: copy.revision };
      const { baseVersionId } = copy;
      this.#set({ known, theirs: server, baseVersionId, status: { type: "conflict" } });
    }
    if (mine !== this.ports.text.read()) this.ports.text.replace(mine, "Restored what was not saved");
    this.keepNow();
    copy.discard();
    this.changed();
    await this.#flush();
  }

  /** Writes the local copy at once; false when there is something that could not be kept. */
  keepNow(): boolean {
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
    if (this.isClean()) return true;
    const { known, baseVersionId } = this.#state;
    const text = this.ports.text.read();
    const base = findDifference(known.text, text);
    const sent = [...this.#unanswered];
    const kept = this.ports.copies.keep({ text, revision: known.revision, baseVersionId, base, sent });
    this.#keptAt = Date.now();
    if (kept !== this.#state.kept) this.#set({ kept });
    return kept;
  }

  /** The page goes: everything is kept, and sent if it still can be. */
  leave(): void {
    this.keepNow();
    if (!this.isClean()) void this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#saving !== undefined || this.#state.theirs !== undefined) return;
    if (this.isClean()) return this.#settle();
    this.#timer.stop();
    this.#saving = this.#send().finally(() => {
      this.#saving = undefined;
    });
    await this.#saving;
  }

  async #send(): Promise<void> {
    const { known, baseVersionId } = this.#state;
    const text = this.ports.text.read();
    this.#set({ status: { type: "saving" } });
    this.#unanswered = [...this.#unanswered, fingerprintOf(text)].slice(-MOST_UNANSWERED);
    try {
      const saved = await this.ports.save({ text, revision: known.revision, baseVersionId });
      this.#unanswered = [];
      this.#timer.settle();
      this.#set({ known: { ...saved, text }, savedAt: Date.now() });
      if (this.isClean()) this.#settle();
      else this.#saveAgain();
    } catch (error) {
      await this.#refused(error);
    }
  }

  #saveAgain(): void {
    this.#set({ status: { type: "unsaved" } });
    this.#keepSoon();
    this.#timer.afterChange();
  }

  async #refused(error: unknown): Promise<void> {
    const fault = faultOf(error);
    if (fault.type === "stale") {
      try {
        return this.#meet(await this.ports.load());
      } catch (later) {
        const next = faultOf(later);
        return this.#wait(next.type === "stale" ? { type: "unreachable" } : next);
      }
    }
    this.#wait(fault);
  }

  #wait(status: SyncStatus): void {
    this.#set({ status });
    this.keepNow();
    if (status.type === "unreachable") this.#timer.afterFault();
  }

  async #check(): Promise<void> {
    if (this.#saving !== undefined) return;
    const { known } = this.#state;
    try {
      const server = await this.ports.load();
      // A save that began meanwhile finds out by itself.
      if (this.#saving !== undefined || this.#state.known !== known) return;
      this.#meet(server);
    } catch (error) {
      const fault = faultOf(error);
      if (fault.type === "signed-out" && !this.isClean()) this.#wait(fault);
    }
  }

  /** What the platform holds now, beside what is here. */
  #meet(server: ManifestDraft): void {
    const { known, theirs } = this.#state;
    if (theirs !== undefined) {
      if (server.revision !== theirs.revision) this.#set({ theirs: server });
    } else if (server.revision === known.revision && server.text === known.text) {
      if (!this.isClean()) this.#flushSoon();
    } else if (this.isClean()) {
      this.#goOnFrom(server, server.text, `Take the changes of ${nameOf(server)}`);
      this.ports.tell(`${nameOf(server)} changed the manifest. The newest is shown.`);
    } else if (this.#isMine(server.text)) {
      this.#goOnFrom(server, this.ports.text.read(), "");
    } else {
      this.#set({ theirs: server, status: { type: "conflict" } });
      this.keepNow();
    }
  }

  /** `draft` is what the platform holds; `text` is what is here from now on. */
  #goOnFrom(draft: ManifestDraft, text: string, what: string): void {
    const { known, baseVersionId } = this.#state;
    const chosen = baseVersionId === known.baseVersionId || text === draft.text;
    this.#unanswered = [];
    this.#set({
      known: draft,
      savedAt: undefined,
      theirs: undefined,
      status: { type: "unsaved" },
      baseVersionId: chosen ? draft.baseVersionId : baseVersionId,
    });
    if (text !== this.ports.text.read()) this.ports.text.replace(text, what);
    this.changed();
    this.#flushSoon();
  }

  #isMine(text: string): boolean {
    return text === this.ports.text.read() || this.#unanswered.includes(fingerprintOf(text));
  }

  /** The page may be older than the copy that a later one of the same tab left. */
  async #newestKnown(revision: number): Promise<ManifestDraft> {
    if (revision === this.#state.known.revision) return this.#state.known;
    const server = await this.ports.load().catch(() => undefined);
    const { known } = this.#state;
    return server === undefined || server.revision < known.revision ? known : server;
  }

  /** A restored text with what was typed before it was found. */
  #withTyped(base: string, restored: string): string {
    const typed = this.ports.text.read();
    if (typed === this.#state.known.text || typed === restored) return restored;
    return mergeManifests(base, typed, restored)?.text ?? restored;
  }

  /** Not within a save that is still being answered. */
  #flushSoon(): void {
    this.#timer.at(0);
  }

  #settle(): void {
    this.#timer.settle();
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
    this.ports.copies.forget();
    const { status, kept } = this.#state;
    if (status.type !== "saved" || kept) this.#set({ status: { type: "saved" }, kept: false });
  }

  #keepSoon(): void {
    const wait = Math.max(0, this.#keptAt + KEEP_EVERY_MS - Date.now());
    this.#keeping ??= setTimeout(() => this.keepNow(), wait);
  }

  #set(changed: Partial<SyncState>): void {
    this.#state = { ...this.#state, ...changed };
    for (const listener of this.#listeners) listener();
  }
}

/** How the editor's text and the platform's draft stand to each other, and what keeping them the same needs. */

type SyncStatus =
  | { type: "saved" | "unsaved" | "saving" | "unreachable" | "signed-out" | "conflict" }
  | { type: "refused"; reason: string };

export interface SyncState {
  status: SyncStatus;
  /** What the platform holds, as far as is known here. */
  known: ManifestDraft;
  /** The last save from here, by this machine's clock. */
  savedAt: number | undefined;
  /** The version that the text was last compared with; sent with the next save. */
  baseVersionId: string | null;
  /** What somebody else saved, while people have to choose. Nothing is sent until then. */
  theirs: ManifestDraft | undefined;
  /** What is not saved is at least in this browser's storage. */
  kept: boolean;
}

export interface SyncPorts {
  text: { read: () => string; replace: (text: string, what: string) => void };
  load: () => Promise<ManifestDraft>;
  save: (input: SaveDraftInput) => Promise<SavedDraft>;
  copies: CopyKeeper;
  /** A quiet word to people. */
  tell: (words: string) => void;
}

/** Who saved a draft, in words. */
export function nameOf({ updatedBy }: Pick<ManifestDraft, "updatedBy">): string {
  return updatedBy ?? "somebody else";
}
