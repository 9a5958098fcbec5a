/** What is not saved yet, in the browser's storage: one copy a listing and tab, removed once it is saved. */

import { z } from "zod";

/** What turns another text into the copy's. */
const difference = z.object({ at: z.int().min(0), removed: z.string(), inserted: z.string() });

const localCopy = z.object({
  text: z.string(),
  /** The draft that the text was made from. */
  revision: z.int().min(0),
  baseVersionId: z.string().nullable(),
  base: difference,
  /** Fingerprints of texts that were sent and never answered. */
  sent: z.array(z.string()),
});
export type LocalCopy = z.infer<typeof localCopy>;

export type FoundCopy = LocalCopy & { discard: () => void };

export interface CopyKeeper {
  /** False where the browser's storage is full or closed. */
  keep: (copy: LocalCopy) => boolean;
  forget: () => void;
}

/** The text of the draft that the copy was made from. */
export function baseOf({ text, base }: LocalCopy): string {
  return text.slice(0, base.at) + base.removed + text.slice(base.at + base.inserted.length);
}

/** `storage` throws where the browser offers none, as private windows may. */
export function copyKeeper(storage: () => Storage, listingId: string, tab: () => string | undefined) {
  const keyOf = (id: string) => `${prefixOf(listingId)}${id}`;
  let isKept = true;
  return {
    keep: (copy: LocalCopy) => {
      const id = tab();
      if (id === undefined) return false;
      try {
        storage().setItem(keyOf(id), JSON.stringify(copy));
        isKept = true;
        return true;
      } catch {
        return false;
      }
    },
    forget: () => {
      const id = tab();
      if (!isKept || id === undefined) return;
      remove(storage, keyOf(id));
      isKept = false;
    },
  };
}

/** This tab's copy first, then those of tabs that are gone. What cannot be read is thrown away. */
export function findCopies(
  storage: () => Storage,
  listingId: string,
  tab: string,
  isAlive: (tab: string) => boolean,
): FoundCopy[] {
  try {
    const prefix = prefixOf(listingId);
    const tabs = Object.keys(storage()).flatMap((key) =>
      key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
    );
    const mine = tabs.filter((id) => id === tab);
    const orphans = tabs.filter((id) => id !== tab && !isAlive(id));
    return [...mine, ...orphans].flatMap((id) => {
      const key = `${prefix}${id}`;
      const copy = readCopy(storage().getItem(key));
      if (copy === undefined) remove(storage, key);
      const discard = () => {
        if (id !== tab) remove(storage, key);
      };
      return copy === undefined ? [] : [{ ...copy, discard }];
    });
  } catch {
    return [];
  }
}

function prefixOf(listingId: string): string {
  return `manifest-copy:${listingId}:`;
}

function readCopy(source: string | null): LocalCopy | undefined {
  try {
    return localCopy.parse(JSON.parse(source ?? ""));
  } catch {
    return undefined;
  }
}

function remove(storage: () => Storage, key: string): void {
  try {
    storage().removeItem(key);
  } catch {
    // Storage that cannot be written holds nothing of ours.
  }
}

/** Tells texts apart without keeping them: 64 bits, for recognising one's own text, never against anybody who means harm. */
export function fingerprintOf(text: string): string {
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x9e3779b1);
    two = Math.imul(two ^ code, 0x5f356495);
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(two ^ (two >>> 13), 0xc2b2ae35);
  two = Math.imul(two ^ (two >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return `${text.length}-${(one >>> 0).toString(36)}-${(two >>> 0).toString(36)}`;
}
