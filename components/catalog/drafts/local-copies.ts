/** Unsaved changes in the browser's storage: one copy per text and tab, removed once it is saved. */
import { isRecord } from "@/lib/domain/platform/json-text/json-value";

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

/** Identifies this tab and the other open ones: a reloaded tab keeps its id, a duplicated tab gets a new one. */
const KEY = "manifest-tab";
/** After a reload, the previous page may still have the lock for a moment. */
const LOCK_TIMEOUT_MS = 1_500;

let current: string | undefined;
let claim: Promise<string> | undefined;

/** This tab's id; undefined until `claimTab` is done. */
export function currentTab(): string | undefined {
  return current;
}

/** Once per page. */
export function claimTab(): Promise<string> {
  claim ??= claimId().then((id) => (current = id));
  return claim;
}

/** Without the Web Locks API, all other tabs count as open. */
export async function findOpenTabs(): Promise<(tab: string) => boolean> {
  const locks = lockManager();
  if (locks === undefined) return () => true;
  const { held = [] } = await locks.query();
  const names = new Set(held.map(({ name }) => name));
  return (tab) => names.has(lockName(tab));
}

async function claimId(): Promise<string> {
  const previous = sessionItem();
  if (previous !== undefined && (await lock(previous))) return previous;
  const id = randomId();
  sessionItem(id);
  await lock(id);
  return id;
}

/** Keeps the lock until the page is closed. */
function lock(id: string): Promise<boolean> {
  const locks = lockManager();
  if (locks === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(LOCK_TIMEOUT_MS);
    locks
      .request(lockName(id), { signal }, () => {
        resolve(true);
        return new Promise(() => undefined);
      })
      .catch(() => resolve(false));
  });
}

/** Only secure pages have it, whatever the types say. */
function lockManager(): LockManager | undefined {
  return "locks" in navigator ? navigator.locks : undefined;
}

function lockName(id: string): string {
  return `${KEY}:${id}`;
}

/** Reads the tab's id, or writes a new one. Without storage there are no copies to find either. */
function sessionItem(id?: string): string | undefined {
  try {
    if (id !== undefined) sessionStorage.setItem(KEY, id);
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** `crypto.randomUUID` exists only on secure pages. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
