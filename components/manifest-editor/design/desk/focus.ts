import { APP, type EditorStore } from "../../model/editor-store";
import type { ValueColumn } from "../values/use-values-edit";

/** Moves the focus to what the next drawing brings: a new row, a field of the inspector. */

const MOST_FRAMES = 30;

/** Waits until it is there, half a second at most. */
export function focusSoon(find: () => HTMLElement | null, then?: (element: HTMLElement) => void): void {
  let frames = 0;
  const look = () => {
    const element = find();
    frames += 1;
    if (element === null) {
      if (frames < MOST_FRAMES) requestAnimationFrame(look);
      return;
    }
    element.focus();
    then?.(element);
  };
  requestAnimationFrame(look);
}

const FOCUSABLE = ":is(input:not([type=hidden]), textarea, button, [tabindex]):not(:disabled)";

/** The inspector carries `data-inspects`, each of its fields `data-member` with its place in the entry. */
function findField(id: string, place: string): HTMLElement | null {
  const inspector = document.querySelector<HTMLElement>(`[data-inspects="${CSS.escape(id)}"]`);
  for (let at = place; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const field = inspector?.querySelector<HTMLElement>(`[data-member="${CSS.escape(at)}"]`);
    const found = field?.querySelector<HTMLElement>(FOCUSABLE);
    if (found) return found;
  }
  return inspector?.querySelector<HTMLElement>(`[data-member] ${FOCUSABLE}`) ?? null;
}

/** A radio group is entered at what is chosen; a text field with its text selected. */
export function focusField(id: string, place = "", select = false): void {
  focusSoon(
    () => findField(id, place),
    (element) => {
      if (select && element instanceof HTMLInputElement) element.select();
      element.scrollIntoView({ block: "nearest" });
    },
  );
}

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

/** Of a row of the table of values; the table is drawn only where it is in sight, so it must know its rows' height. */
export const VALUE_ROW_HEIGHT = 40;

/** Scrolls the table to a cell and puts the focus there. The table carries `data-values-of`, each cell `data-cell`. */
export function focusCell(id: string, index: number, column: ValueColumn): void {
  focusSoon(
    () => {
      const grid = document.querySelector<HTMLElement>(`[data-values-of="${CSS.escape(id)}"]`);
      const cell = grid?.querySelector<HTMLElement>(`[data-cell="${index}/${column}"]`) ?? null;
      if (grid !== null && cell === null) scrollTo(grid, index);
      // A list that the focus enters at a cell would send it on to its first row; entered at the row it does not.
      cell?.closest<HTMLElement>("[role=row]")?.focus();
      return cell;
    },
    (cell) => {
      if (cell instanceof HTMLInputElement) cell.select();
      cell.scrollIntoView({ block: "nearest" });
    },
  );
}

function scrollTo(grid: HTMLElement, index: number): void {
  const top = index * VALUE_ROW_HEIGHT;
  if (top < grid.scrollTop) grid.scrollTop = top;
  const bottom = top + VALUE_ROW_HEIGHT - grid.clientHeight;
  if (bottom > grid.scrollTop) grid.scrollTop = bottom;
}
