"use client";

import { useEffect, useRef, type RefObject } from "react";

/** Where the focus is to go: a field of a step by its pointer, else the step's start. A new object each time. */
export interface FocusRequest {
  stepId: string;
  pointer?: string;
}

/** Takes the focus along when the step changes, and to a field when that is asked for. */
export function useStepFocus(
  frame: RefObject<HTMLElement | null>,
  stepId: string | undefined,
  request: FocusRequest | undefined,
): void {
  const before = useRef({ stepId, request });
  useEffect(() => {
    const last = before.current;
    const asked = request !== last.request && request?.stepId === stepId ? request : undefined;
    const moved = stepId !== last.stepId;
    if (!moved && asked === undefined) return;
    before.current = { stepId, request: asked ?? last.request };
    const element = frame.current;
    // A step that is opened from elsewhere on the page leaves the focus there.
    if (element === null || (asked === undefined && isElsewhere(element))) return;
    const field = asked?.pointer === undefined ? undefined : fieldAt(element, asked.pointer);
    if (field === undefined) return element.focus({ preventScroll: true });
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: "center" });
  }, [frame, stepId, request]);
}

function isElsewhere(frame: HTMLElement): boolean {
  const { activeElement } = document;
  return activeElement !== null && activeElement !== document.body && !frame.contains(activeElement);
}

function fieldAt(frame: HTMLElement, pointer: string): HTMLElement | undefined {
  const place = frame.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`);
  const fields = place?.querySelectorAll<HTMLElement>("input, textarea, button") ?? [];
  return [...fields].find((field) => field.tabIndex >= 0 && !field.hasAttribute("hidden"));
}
