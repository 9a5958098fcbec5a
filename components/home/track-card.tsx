import { Check } from "lucide-react";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import type { Step, Track } from "@/lib/domain/home/list-tracks";

/** The steps to a first published or launched app. The next one has the button. */
export function TrackCard({ track: { title, steps } }: { track: Track }) {
  const next = steps.findIndex(({ done }) => !done);
  return (
    <Card
      title={title}
      description={`${steps.filter(({ done }) => done).length} of ${steps.length} steps done`}
    >
      <ol className="flex flex-col gap-5">
        {steps.map((step, index) => (
          <StepItem key={step.title} step={step} number={index + 1} isNext={index === next} />
        ))}
      </ol>
    </Card>
  );
}

function StepItem({ step, number, isNext }: { step: Step; number: number; isNext: boolean }) {
  const { title, text, done, href, action } = step;
  const mark = done
    ? "border-transparent bg-success-soft text-success"
    : isNext
      ? "border-transparent bg-accent-soft text-accent-text"
      : "border-line text-ink-faint";
  return (
    <li className="flex gap-3">
      <span
        aria-hidden
        className={`flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-medium ${mark}`}
      >
        {done ? <Check className="size-3.5" /> : number}
      </span>
      <div className="min-w-0 flex-1">
        <p className={isNext ? "font-medium text-ink" : "text-ink-soft"}>
          {title}
          {done && <span className="sr-only"> (done)</span>}
        </p>
        {isNext && (
          <>
            <p className="mt-0.5 text-[13px] leading-5 text-ink-faint">{text}</p>
            <LinkButton tone="primary" size="small" href={href} className="mt-3">
              {action}
            </LinkButton>
          </>
        )}
      </div>
    </li>
  );
}
