/** Which keys a page may take as shortcuts. */
import { createStore } from "zustand/vanilla";

/** These inputs accept no typed text. */
const NON_TEXT_INPUTS = new Set(["checkbox", "radio", "button", "submit", "reset", "range", "file", "color"]);

/** The keys belong to a text field: also those that a search field with the focus passes on to its list. */
export function isTyping(target: EventTarget | null): boolean {
  return acceptsText(target) || acceptsText(document.activeElement);
}

function acceptsText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NON_TEXT_INPUTS.has(target.type);
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}

const SINGLE_KEYS = "manifest-single-keys";

/** Single-key shortcuts can be turned off, because speech input triggers them by accident (WCAG 2.1.4). */
export const singleKeys = createStore<{ isOn: boolean }>(() => ({ isOn: readSingleKeys() }));

function readSingleKeys(): boolean {
  try {
    return typeof window === "undefined" || localStorage.getItem(SINGLE_KEYS) !== "off";
  } catch {
    return true;
  }
}

export function setSingleKeys(isOn: boolean): void {
  singleKeys.setState({ isOn });
  try {
    if (isOn) localStorage.removeItem(SINGLE_KEYS);
    else localStorage.setItem(SINGLE_KEYS, "off");
  } catch {
    // Without storage, it lasts until the page is closed.
  }
}
