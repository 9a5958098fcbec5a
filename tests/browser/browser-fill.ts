import { onTestFinished, vi } from "vitest";

/**
 * Fills fields as browsers do. Only a browser itself can put a field into this state, so `:autofill` is faked. Typing into the field
 * ends it.
 */
export function createBrowserFill() {
  const filled = new Set<Element>();
  for (const { prototype } of [HTMLInputElement, HTMLTextAreaElement]) {
    const { matches } = prototype;
    vi.spyOn(prototype, "matches").mockImplementation(function (this: Element, selector) {
      return selector.includes(":autofill") ? filled.has(this) : matches.call(this, selector);
    });
  }
  onTestFinished(() => void vi.restoreAllMocks());
  const typed = ({ target, data }: Event & { data?: unknown }) =>
    data !== undefined && target instanceof Element && filled.delete(target);
  document.addEventListener("input", typed, { capture: true });
  onTestFinished(() => document.removeEventListener("input", typed, { capture: true }));
  return async (field: Element, value: string, { isSilent = false } = {}) => {
    const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if (!isField) throw new Error("only fields are filled");
    filled.add(field);
    const { prototype } = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
    Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    if (isSilent) return;
    field.dispatchEvent(
      new AnimationEvent("animationstart", { animationName: "filled-by-browser", bubbles: true }),
    );
  };
}
