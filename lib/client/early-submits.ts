/** Keeps forms that are submitted before React hydrates them, and submits them again afterwards. */

interface EarlySubmits {
  held: Set<HTMLFormElement>;
  taken: WeakSet<HTMLFormElement>;
}

declare global {
  interface Window {
    earlySubmits?: EarlySubmits;
  }
}

/** Runs before everything else on a page. A form with an `action` works without scripts and is let through. */
export const HOLD_EARLY_SUBMITS = `(function () {
  var early = (window.earlySubmits = { held: new Set(), taken: new WeakSet() });
  addEventListener("submit", function (event) {
    if (event.target.hasAttribute("action") || early.taken.has(event.target)) return;
    event.preventDefault();
    early.held.add(event.target);
  }, true);
})();`;

/** React handles this form from now on. A kept form is submitted once React has the values typed into it. */
export function takeForm(form: HTMLFormElement | null | undefined): void {
  const early = window.earlySubmits;
  if (early === undefined || form === null || form === undefined) return;
  early.taken.add(form);
  if (early.held.delete(form)) setTimeout(() => form.requestSubmit(), 0);
}
