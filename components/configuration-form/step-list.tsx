import { Check } from "lucide-react";
import type { Step } from "./launch-draft";

interface StepListProps {
  steps: Step[];
  current: number;
  /** Steps that were answered can be gone back to. */
  onOpen: (index: number) => void;
}

/** Beside the step where the page and its container (`@container`) are wide, else in a row above it. */
export function StepList({ steps, current, onOpen }: StepListProps) {
  return (
    <nav aria-label="Steps" className="min-w-0">
      <p className="mb-2 text-[13px] text-ink-faint lg:@2xl:hidden">
        Step {current + 1} of {steps.length}
      </p>
      <ol className="flex gap-1 overflow-x-auto pb-1 lg:@2xl:flex-col">
        {steps.map((step, index) => (
          <li key={step.id} className="shrink-0">
            <button
              type="button"
              aria-current={index === current ? "step" : undefined}
              disabled={index > current}
              onClick={() => onOpen(index)}
              className={`flex w-full items-center gap-3 rounded-field px-2 py-2 text-left text-sm enabled:cursor-pointer enabled:hover:bg-hover ${
                index === current ? "font-medium text-ink" : "text-ink-faint"
              }`}
            >
              <Mark index={index} current={current} />
              <span className={`max-w-44 truncate ${index === current ? "" : "sr-only lg:@2xl:not-sr-only"}`}>
                {step.title}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Mark({ index, current }: { index: number; current: number }) {
  const look =
    index < current
      ? "border-transparent bg-accent-soft text-accent-text"
      : index === current
        ? "border-transparent bg-accent text-accent-ink"
        : "border-line text-ink-faint";
  return (
    <span
      aria-hidden
      className={`flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-medium ${look}`}
    >
      {index < current ? <Check className="size-3.5" /> : index + 1}
    </span>
  );
}
