"use client";

import { createContext, use, useCallback, useEffect, useRef, useState } from "react";
import { Notice } from "@/components/ui/notice";
import type { Issue } from "@/lib/contract/platform/problem";
import type { AnswerChange, AnswerSheet } from "@/lib/domain/catalog/answer-sheet";
import { isFoundByApp } from "@/lib/domain/catalog/configuration";

interface SheetState {
  sheet: AnswerSheet;
  /** The issues that are marked. */
  issues: readonly Issue[];
  /** The same function for the life of the page, so that rows can be memoized. */
  changeAll: (changes: readonly AnswerChange[]) => void;
}

export type ChangeAnswer = (pointer: string, answer: AnswerChange[1]) => void;

/** What the rows of a form read and change. */
export const SheetContext = createContext<SheetState | undefined>(undefined);

export function useSheet() {
  const state = use(SheetContext);
  if (state === undefined) throw new Error("SheetContext has no value");
  const { changeAll } = state;
  const change: ChangeAnswer = useCallback((pointer, answer) => changeAll([[pointer, answer]]), [changeAll]);
  return { ...state, change };
}

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

const SHOWN = 10;

/** The issues that keep a form from being sent, or those that the app found, which don't. Each is also shown at its field. */
export function IssueSummary({ issues }: { issues: readonly Issue[] }) {
  if (issues.length === 0) return null;
  const rest = issues.length - SHOWN;
  const problems = issues.length === 1 ? "1 problem" : `${issues.length} problems`;
  const isByApp = issues.every(isFoundByApp);
  return (
    <Notice
      tone={isByApp ? "warning" : "danger"}
      title={isByApp ? `The app found ${problems}` : `Fix ${problems} to continue`}
    >
      <ul className="list-disc pl-4">
        {issues.slice(0, SHOWN).map((issue, index) => (
          <li key={`${issue.code} ${issue.pointer} ${index}`}>{issue.message}</li>
        ))}
        {rest > 0 && <li>And {rest} more.</li>}
      </ul>
    </Notice>
  );
}
