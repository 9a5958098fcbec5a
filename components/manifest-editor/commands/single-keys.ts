/** Shortcuts of one sign, such as `?`, can be switched off: who speaks to the computer would set them off unawares (WCAG 2.1.4). */
const KEY = "manifest-single-keys";
const listeners = new Set<() => void>();
/** For browsers without storage. */
let switchedOff = false;

export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return !switchedOff;
  }
}

export function switchSingleKeys(on: boolean): void {
  switchedOff = !on;
  try {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "off");
  } catch {
    // Then it holds as long as the page.
  }
  for (const listener of listeners) listener();
}

export function onSingleKeys(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
