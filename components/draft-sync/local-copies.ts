/** Unsaved changes in the browser's storage: one copy per text and tab, removed once it is saved. */
import { isRecord } from "@/lib/domain/json-text/json-value";

export interface LocalCopy {
  text: string;
  /** The revision of the draft that the text is based on. */
  revision: number;
  baseVersionId: string | null;
  /** The change from the draft's text to this one. */
  base: { at: number; removed: string; inserted: string };
  /** Fingerprints of texts that were sent without a response. */
  sent: string[];
}

export type FoundCopy = LocalCopy & { discard: () => void };

/** Returns the text of the draft that the copy is based on. */
export function restoreBase({ text, base }: LocalCopy): string {
  return text.slice(0, base.at) + base.removed + text.slice(base.at + base.inserted.length);
}

export class LocalCopies {
  readonly #prefix: string;

  /** `storage` is undefined where the browser offers none; `getTab` returns undefined until the tab has an id. */
  constructor(
    private readonly storage: Storage | undefined,
    name: string,
    private readonly getTab: () => string | undefined,
  ) {
    this.#prefix = `${name}:`;
  }

  /** Returns false when the storage is full or missing. */
  store(copy: LocalCopy): boolean {
    const tab = this.getTab();
    if (tab === undefined || this.storage === undefined) return false;
    try {
      this.storage.setItem(this.#prefix + tab, JSON.stringify(copy));
      return true;
    } catch {
      return false;
    }
  }

  /** Removes this tab's copy. */
  remove(): void {
    const tab = this.getTab();
    if (tab !== undefined) this.storage?.removeItem(this.#prefix + tab);
  }

  /** Returns this tab's copy, or else one of a closed tab. Removes unreadable copies. */
  find(isOpen: (tab: string) => boolean): FoundCopy | undefined {
    const { storage } = this;
    if (storage === undefined) return undefined;
    const own = this.#prefix + this.getTab();
    const keys = Object.keys(storage).filter(
      (key) => key.startsWith(this.#prefix) && (key === own || !isOpen(key.slice(this.#prefix.length))),
    );
    for (const key of keys.sort((one, other) => Number(other === own) - Number(one === own))) {
      const copy = parseCopy(storage.getItem(key));
      const discard = () => {
        if (key !== own) storage.removeItem(key);
      };
      if (copy !== undefined) return { ...copy, discard };
      storage.removeItem(key);
    }
    return undefined;
  }
}

/** Undefined on the server, and where the browser denies access, as in some private windows. */
export function openStorage(): Storage | undefined {
  try {
    return typeof window === "undefined" ? undefined : window.localStorage;
  } catch {
    return undefined;
  }
}

/** 64 bits and the length, to recognize own texts without storing them. Not safe against attackers. */
export function fingerprint(text: string): string {
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

function parseCopy(source: string | null): LocalCopy | undefined {
  try {
    const copy: unknown = JSON.parse(source ?? "");
    return isCopy(copy) ? copy : undefined;
  } catch {
    return undefined;
  }
}

/** By hand, because pages that save drafts don't need zod, which is larger than most of them. */
function isCopy(value: unknown): value is LocalCopy {
  if (!isRecord(value) || !isRecord(value.base)) return false;
  const { text, revision, baseVersionId, base, sent } = value;
  return (
    typeof text === "string" &&
    isCount(revision) &&
    (baseVersionId === null || typeof baseVersionId === "string") &&
    isCount(base.at) &&
    typeof base.removed === "string" &&
    typeof base.inserted === "string" &&
    isTexts(sent)
  );
}

const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;

const isTexts = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === "string");
