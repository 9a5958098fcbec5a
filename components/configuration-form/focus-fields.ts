const REACHABLE = "input:not([type=hidden]):not([tabindex='-1']), textarea, button:not([slot])";

/** The field of the row in which a button stood that is gone with its press. */
export function focusFieldBeside(button: Element): void {
  button.closest("[data-pointer]")?.querySelector<HTMLElement>(REACHABLE)?.focus();
}

/** The first field of the form that is marked takes the focus; false: none is marked. */
export function focusInvalid(form: HTMLElement | null): boolean {
  for (const place of form?.querySelectorAll<HTMLElement>("[data-invalid]") ?? []) {
    const found = place.matches(REACHABLE) ? [place] : [...place.querySelectorAll<HTMLElement>(REACHABLE)];
    const target = found.find((each) => each.closest("[aria-hidden=true]") === null);
    if (target === undefined) continue;
    target.focus();
    return true;
  }
  return false;
}
