"use client";

import { Check, Minus } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Progress, Step } from "./launch-steps";

interface StepListProps {
  steps: Step[];
  /** Of each step. */
  progress: readonly Progress[];
  current: number;
  /** The last step that can be opened. */
  furthest: number;
  isLocked: boolean;
  onOpen: (index: number) => void;
}

/** Beside the step where the page and its container (`@container`) are wide, else in a row above it. */
export function StepList({ steps, progress, current, furthest, isLocked, onOpen }: StepListProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>('[aria-current="step"]');
    const box = list.current;
    if (box === null || here === undefined || here === null) return;
    // Within the list alone: the page stays where it is.
    box.scrollLeft = here.offsetLeft - box.clientWidth / 2;
    box.scrollTop = here.offsetTop - box.clientHeight / 2;
  }, [current]);
  return (
    <nav aria-label="Steps" className="min-w-0 lg:@2xl:sticky lg:@2xl:top-6 lg:@2xl:self-start">
      <p className="mb-2 text-[13px] text-ink-faint lg:@2xl:hidden">
        Step {current + 1} of {steps.length}
      </p>
      <ol
        ref={list}
        className="relative -m-1 flex gap-1 overflow-auto p-1 lg:@2xl:max-h-[calc(100dvh-6rem)] lg:@2xl:flex-col"
      >
        {steps.map((step, index) => (
          <li key={step.id} className="shrink-0">
            <button
              type="button"
              aria-current={index === current ? "step" : undefined}
              disabled={index > furthest || isLocked}
              onClick={() => onOpen(index)}
              className={`flex w-full items-center gap-3 rounded-field px-2 py-2 text-left text-sm enabled:cursor-pointer enabled:hover:bg-hover ${
                index === current ? "font-medium text-ink" : "text-ink-faint"
              }`}
            >
              <Mark
                at={index}
                isCurrent={index === current}
                progress={index > furthest ? "open" : progress[index]}
              />
              <span className={`max-w-44 truncate ${index === current ? "" : "sr-only lg:@2xl:not-sr-only"}`}>
                {step.title}
              </span>
              {index !== current && index <= furthest && progress[index] !== "open" && (
                <span className="sr-only">, {progress[index]}</span>
              )}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Mark({
  at,
  isCurrent,
  progress,
}: {
  at: number;
  isCurrent: boolean;
  progress: Progress | undefined;
}) {
  const look = isCurrent
    ? "border-transparent bg-accent text-accent-ink"
    : progress === "answered"
      ? "border-transparent bg-accent-soft text-accent-text"
      : "border-line text-ink-faint";
  const Icon = progress === "answered" ? Check : Minus;
  return (
    <span
      aria-hidden
      className={`flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-medium ${look}`}
    >
      {isCurrent || progress === "open" ? at + 1 : <Icon className="size-3.5" />}
    </span>
  );
}
