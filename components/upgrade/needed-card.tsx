"use client";

import { ChevronRight, CircleCheck } from "lucide-react";
import { useState } from "react";
import { Button, Disclosure, DisclosurePanel, Heading } from "react-aria-components";
import { NamesSwitch } from "@/components/configuration-form/names-shown";
import { Card } from "@/components/ui/card";
import type { UpgradeOffer } from "@/lib/contract/configuration-view";
import type { Issue } from "@/lib/contract/problem";
import { keptInWords } from "./change-words";
import { QuestionFields, type AnswerHandlers } from "./question-fields";
import { askedOf, countOf, offeredOf, type UpgradeAnswers } from "./upgrade-questions";

interface NeededCardProps extends AnswerHandlers {
  offer: UpgradeOffer;
  answers: UpgradeAnswers;
  issues: readonly Issue[];
}

/** The one step: what must be answered, what may be, and what is kept without a word. */
export function NeededCard(props: NeededCardProps) {
  const { offer } = props;
  const [asked, offered] = [askedOf(offer), offeredOf(offer)];
  const count = countOf(asked);
  const kept = keptInWords(offer);
  const [isOpen, setOpen] = useState(false);
  // A field that is marked is in sight.
  const hasIssue = offer.offers.some((at) => props.issues.some(({ pointer }) => pointer === at));
  return (
    <Card
      flush
      title={count === 0 ? "Nothing is needed" : "What is needed"}
      description={
        count === 0
          ? `${offer.to.number} takes over what is there.`
          : `${offer.to.number} asks for ${count === 1 ? "one answer" : `${count} answers`} before it can serve.`
      }
      actions={count + countOf(offered) > 0 ? <NamesSwitch /> : undefined}
    >
      {count > 0 && <QuestionFields {...props} questions={asked} />}
      {countOf(offered) > 0 && (
        <Disclosure
          className="group border-t border-line"
          isExpanded={isOpen || hasIssue}
          onExpandedChange={setOpen}
        >
          <Heading level={3}>
            <Button
              slot="trigger"
              className="flex min-h-11 w-full cursor-pointer items-center gap-2 px-4 text-left text-[13px] font-medium text-ink hover:bg-hover sm:px-6"
            >
              <ChevronRight
                aria-hidden
                className="size-4 shrink-0 text-ink-faint transition-transform group-expanded:rotate-90"
              />
              You may also answer {countOf(offered)} more
            </Button>
          </Heading>
          <DisclosurePanel>
            <QuestionFields {...props} questions={offered} />
          </DisclosurePanel>
        </Disclosure>
      )}
      <div className="flex flex-col gap-2 border-t border-line px-4 py-4 text-[13px] leading-5 text-ink-soft sm:px-6">
        <p className="flex items-start gap-2">
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
          <span className="min-w-0">
            {kept === "" ? "Nothing else is stored." : `Kept as they are: ${kept}. Secrets stay hidden.`}
          </span>
        </p>
        {offer.dropped.length > 0 && (
          <p className="wrap-anywhere">
            Not asked any more: <span className="text-ink">{offer.dropped.join(", ")}</span>.{" "}
            {offer.rollback
              ? `No app reads it once ${offer.to.number} serves.`
              : "What you entered is kept for a way back, and read by nobody."}
          </p>
        )}
      </div>
    </Card>
  );
}
