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

/** Holds the lock until the page is closed. */
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
