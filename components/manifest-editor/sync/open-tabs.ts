/** Which tab this is, and which others live: a reload stays the same tab, a duplicated tab becomes another. */
const KEY = "manifest-tab";
/** A reloaded page may ask before the page that it replaces has let go. */
const LET_GO_MS = 1_500;

let claimed: Promise<string> | undefined;

/** Once a page. */
export function claimTab(): Promise<string> {
  claimed ??= claim();
  return claimed;
}

/** Whether a tab lives; where the browser has no locks, every other tab is taken to live. */
export async function livingTabs(): Promise<(tab: string) => boolean> {
  const locks = lockManager();
  if (locks === undefined) return () => true;
  const { held = [] } = await locks.query();
  const names = new Set(held.map(({ name }) => name));
  return (tab) => names.has(lockName(tab));
}

async function claim(): Promise<string> {
  const before = readId();
  if (before !== undefined && (await hold(before))) return before;
  const id = newId();
  try {
    sessionStorage.setItem(KEY, id);
  } catch {
    // Without storage there is nothing to find again either.
  }
  await hold(id);
  return id;
}

/** For as long as the page lives. */
function hold(id: string): Promise<boolean> {
  const locks = lockManager();
  if (locks === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(LET_GO_MS);
    locks
      .request(lockName(id), { signal }, () => {
        resolve(true);
        return new Promise(() => undefined);
      })
      .catch(() => resolve(false));
  });
}

function lockManager(): LockManager | undefined {
  // Only secure pages have them, whatever the types say.
  return "locks" in navigator ? navigator.locks : undefined;
}

function lockName(id: string): string {
  return `${KEY}:${id}`;
}

function readId(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
