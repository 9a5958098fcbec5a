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
export function findField(id: string, place: string): HTMLElement | null {
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
