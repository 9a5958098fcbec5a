"use client";

import { ChevronRight, CircleCheck } from "lucide-react";
import { useMemo, useState } from "react";
import { Button, Disclosure, DisclosurePanel, Heading } from "react-aria-components";
import { useSheet } from "@/components/catalog/configuration-form/answer-form";
import { type CheckedForm, CheckStrip } from "@/components/catalog/configuration-form/configuration-check";
import { NamesSwitch } from "@/components/catalog/configuration-form/names-shown";
import { SettingRows } from "@/components/catalog/configuration-form/setting-rows";
import { Card, Skeleton } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/forms/lazy-code";
import type { UpgradeOffer } from "@/lib/contract/installations/configuration-view";
import { countQuestions, describeKept, findQuestions, type Questions } from "./upgrade-changes";

const MappingFields = lazyPart(
  async () => (await import("@/components/catalog/configuration-form/mapping-fields")).MappingFields,
  <Skeleton className="h-24 w-full" />,
);

interface NeededCardProps {
  offer: UpgradeOffer;
  /** How the new version checks the settings; undefined if it doesn't. */
  check: CheckedForm | undefined;
}

/** What must be answered, what may be answered, and what is kept. */
export function NeededCard({ offer, check }: NeededCardProps) {
  const { issues } = useSheet();
  const [asked, offered] = useMemo(() => {
    const pointers = offer.asks.map(({ pointer }) => pointer);
    return [findQuestions(offer, pointers), findQuestions(offer, offer.offers)];
  }, [offer]);
  const [needed, optional] = [countQuestions(asked), countQuestions(offered)];
  const kept = describeKept(offer);
  const [isOpen, setOpen] = useState(false);
  // A marked field must be visible.
  const hasIssue = issues.some(({ pointer }) => offer.offers.includes(pointer));
  return (
    <Card
      flush
      title={needed === 0 ? "No answers needed" : "Answers needed"}
      description={
        needed === 0
          ? `${offer.to.number} uses what is stored.`
          : `${offer.to.number} needs ${needed === 1 ? "1 answer" : `${needed} answers`} before it can start.`
      }
      actions={needed + optional > 0 ? <NamesSwitch /> : undefined}
    >
      {needed > 0 && <QuestionFields questions={asked} />}
      {optional > 0 && (
        <Disclosure
          className="group border-t border-line"
          isExpanded={isOpen || hasIssue}
          onExpandedChange={setOpen}
        >
          <Heading level={3}>
            <Button
              slot="trigger"
              className="flex min-h-11 w-full cursor-pointer items-center gap-2 px-4 text-left text-small font-medium text-ink hover:bg-hover sm:px-6"
            >
              <ChevronRight
                aria-hidden
                className="size-4 shrink-0 text-ink-faint transition-transform group-expanded:rotate-90"
              />
              {optional === 1 ? "1 optional answer" : `${optional} optional answers`}
            </Button>
          </Heading>
          <DisclosurePanel>
            <QuestionFields questions={offered} />
          </DisclosurePanel>
        </Disclosure>
      )}
      {check !== undefined && offer.declared.length > 0 && (
        <CheckStrip {...check} className="border-t border-line px-4 py-5 sm:px-6" />
      )}
      <div className="flex flex-col gap-2 border-t border-line px-4 py-4 text-small leading-5 text-ink-soft sm:px-6">
        <p className="flex items-start gap-2">
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
          <span className="min-w-0">
            {kept === "" ? "Nothing else is stored." : `Kept: ${kept}. Secrets stay hidden.`}
          </span>
        </p>
        {offer.dropped.length > 0 && (
          <p className="wrap-anywhere">
            No longer asked: <span className="text-ink">{offer.dropped.join(", ")}</span>.{" "}
            {offer.rollback
              ? "After the rollback, the app no longer receives what you entered."
              : "What you entered is kept in case you roll back. The app no longer receives it."}
          </p>
        )}
      </div>
    </Card>
  );
}

function QuestionFields({ questions }: { questions: Questions }) {
  return (
    <div className="divide-y divide-line border-t border-line">
      <SettingRows settings={questions.settings} className="px-4 py-5 sm:px-6" />
      {questions.mappings.map(({ product, fields }) => (
        <section key={product.name} className="flex flex-col gap-4 px-4 py-5 sm:px-6">
          <h3 className="text-small font-medium break-words text-ink">Mapping of {product.name}</h3>
          <MappingFields product={product} fields={fields} />
        </section>
      ))}
    </div>
  );
}
