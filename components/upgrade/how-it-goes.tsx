import { Card } from "@/components/ui/card";
import type { UpgradeOffer } from "@/lib/contract/configuration-view";

/** What happens after the press, said before it. */
export function HowItGoes({ offer, isRunning }: { offer: UpgradeOffer; isRunning: boolean }) {
  const { from, to, rollback } = offer;
  const steps = isRunning
    ? [
        `${from.number} serves on while ${to.number} is started and found healthy. Only then do calls go to it.`,
        `If ${to.number} does not start, ${from.number} serves on as before. No call fails, and nothing is lost.`,
        rollback
          ? `You can upgrade again afterwards. ${from.number} then asks again for what only it needs.`
          : `Until you upgrade again, you can roll back to ${from.number} with all that it was configured with.`,
      ]
    : [
        `Nothing runs now, so it moves to ${to.number} at once. ${to.number} runs when it is started.`,
        rollback
          ? `You can upgrade again afterwards. ${from.number} then asks again for what only it needs.`
          : `Until you upgrade again, you can roll back to ${from.number} with all that it was configured with.`,
      ];
  return (
    <Card title="How it goes">
      <ol className="flex flex-col gap-3">
        {steps.map((step, index) => (
          <li key={index} className="flex gap-3 text-[13px] leading-5 text-ink-soft">
            <span
              aria-hidden
              className="flex size-5 shrink-0 items-center justify-center rounded-full border border-line bg-subtle text-xs text-ink-faint tabular-nums"
            >
              {index + 1}
            </span>
            <span className="min-w-0 wrap-anywhere">{step}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
