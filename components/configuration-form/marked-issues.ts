"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { Issue } from "@/lib/contract/problem";

const REACHABLE = "input:not([type=hidden]):not([tabindex='-1']), textarea, button:not([slot])";

/** The issues that a form marks. The first one takes the focus; editing a field removes its mark. */
export function useMarkedIssues() {
  const form = useRef<HTMLFormElement>(null);
  const isNew = useRef(false);
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const mark = useCallback((found: readonly Issue[]) => {
    isNew.current = found.length > 0;
    setIssues(found);
  }, []);
  const unmark = useCallback((edited: readonly string[]) => {
    setIssues((all) =>
      all.some(({ pointer }) => edited.includes(pointer))
        ? all.filter(({ pointer }) => !edited.includes(pointer))
        : all,
    );
  }, []);
  useEffect(() => {
    if (!isNew.current) return;
    isNew.current = false;
    // An issue without a field on this page is only in the summary.
    if (!focusInvalid(form.current)) window.scrollTo({ top: 0 });
  }, [issues]);
  return { form, issues, mark, unmark };
}

/** Focuses the first marked field of the form; false if none is marked. */
function focusInvalid(form: HTMLElement | null): boolean {
  for (const element of form?.querySelectorAll<HTMLElement>("[data-invalid]") ?? []) {
    const fields = element.matches(REACHABLE)
      ? [element]
      : [...element.querySelectorAll<HTMLElement>(REACHABLE)];
    const target = fields.find((field) => field.closest("[aria-hidden=true]") === null);
    if (target === undefined) continue;
    target.focus();
    return true;
  }
  return false;
}

/** Moves the focus from a button that disappears when pressed to the field in its row. */
export function focusFieldBeside(button: Element): void {
  button.closest("[data-pointer]")?.querySelector<HTMLElement>(REACHABLE)?.focus();
}
