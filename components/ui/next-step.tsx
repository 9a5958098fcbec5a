import { LearnMore } from "@/components/ui/learn-more";
import { INSTANCE_REASONS, type ReasonCode } from "@/lib/contract/instance-reasons";

const READERS = {
  publisher: "Next step for the app's publisher: ",
  operator: "Next step for the platform's operator: ",
  nobody: "",
} as const;

/** What to do about the reason why an app doesn't run, and the reason's code. */
export function NextStep({ code }: { code: ReasonCode }) {
  const { fixedBy, nextStep } = INSTANCE_REASONS[code];
  return (
    <p className="my-1 text-[13px] leading-5 wrap-anywhere text-ink-soft">
      <code className="mr-2 rounded-sm border border-line bg-surface px-1 font-mono text-xs text-ink-soft">
        {code}
      </code>
      {READERS[fixedBy]}
      {nextStep} <LearnMore code={code} />
    </p>
  );
}
