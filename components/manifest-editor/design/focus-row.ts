import { APP, type EditorStore } from "../editor-store";
import { focusSoon } from "./focus";

/** Lists draw only the rows in sight, so they must know how high a row is. */
export const ENTRY_ROW_HEIGHT = 52;

/** The row of an entry, or the app's, once it is drawn where it belongs; scrolls to it where it is out of sight. */
export function focusRow(store: EditorStore, id: string): void {
  focusSoon(
    () => {
      const row = findRow(store, id);
      if (row === null) reveal(store, id);
      return row;
    },
    // A long list puts the row in its place a moment after it drew it.
    (row) => setTimeout(() => row.scrollIntoView({ block: "nearest" }), 50),
  );
}

/** Of whatever is selected by the time that it is looked for: after a shortcut of the whole page did its work. */
export function focusSelectedRow(store: EditorStore): void {
  requestAnimationFrame(() => focusRow(store, store.state().selection));
}

/** Brings a row into sight without the focus. */
export function revealRow(store: EditorStore, id: string): void {
  requestAnimationFrame(() => {
    const row = findRow(store, id);
    if (row === null) reveal(store, id);
    else row.scrollIntoView({ block: "nearest" });
  });
}

/** Rows carry `data-entry` and `data-index`, the app's only the former. One that just moved may still be where it was. */
function findRow(store: EditorStore, id: string): HTMLElement | null {
  const index = store.state().outline.entries.find((each) => each.id === id)?.index;
  const place = index === undefined ? "" : `[data-index="${index}"]`;
  return document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(id)}"]${place}`);
}

/** Lists carry `data-list`. */
function reveal(store: EditorStore, id: string): void {
  const entry = store.state().outline.entries.find((each) => each.id === id);
  if (id === APP || entry === undefined) return;
  const list = document.querySelector<HTMLElement>(`[data-list="${entry.kind}"]`);
  if (list === null || list.offsetParent === null) return;
  const middle = list.getBoundingClientRect().top + (entry.index + 0.5) * ENTRY_ROW_HEIGHT;
  if (middle < 0 || middle > window.innerHeight) window.scrollBy({ top: middle - window.innerHeight / 2 });
}
