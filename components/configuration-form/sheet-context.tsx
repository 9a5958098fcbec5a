"use client";

import { createContext, use, useCallback } from "react";
import type { Issue } from "@/lib/contract/problem";
import type { Answer, AnswerChange, AnswerSheet } from "@/lib/domain/answer-sheet";

interface SheetState {
  sheet: AnswerSheet;
  /** The issues that are marked. */
  issues: readonly Issue[];
  /** The same function for the life of the page, so that rows can be memoized. */
  changeAll: (changes: readonly AnswerChange[]) => void;
}

export type ChangeAnswer = (pointer: string, answer: Answer | undefined) => void;

/** What the rows of a form read and change. */
export const SheetContext = createContext<SheetState | undefined>(undefined);

export function useSheet() {
  const state = use(SheetContext);
  if (state === undefined) throw new Error("SheetContext has no value");
  const { changeAll } = state;
  const change: ChangeAnswer = useCallback((pointer, answer) => changeAll([[pointer, answer]]), [changeAll]);
  return { ...state, change };
}
