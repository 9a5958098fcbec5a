/** How the editor's text and the platform's draft stand to each other, and what keeping them the same needs. */
import type { ManifestDraft, SavedDraft, SaveDraftInput } from "@/lib/contract/manifest-draft";
import type { CopyKeeper } from "./local-copy";

export type SyncStatus =
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
