"use client";

import { CircleCheck, CircleDashed } from "lucide-react";
import { Card } from "@/components/ui/card";
import { TextLink } from "@/components/ui/text-link";
import type { TextField } from "@/lib/contract/listing-terms";
import { checkListing, type CheckedListing, type ChecklistItem } from "@/lib/domain/listing-checklist";

interface ChecklistCardProps extends CheckedListing {
  appName: string;
  onShow: (field: TextField) => void;
}

/** What moderators check. Each open item leads to where it is done. */
export function ChecklistCard({ appName, onShow, ...checked }: ChecklistCardProps) {
  const items = checkListing(checked);
  const done = items.filter(({ isDone }) => isDone).length;
  return (
    <Card
      title="What moderators check"
      description={`${done} of ${items.length} done. Only the required items are needed to submit.`}
    >
      <ul className="flex flex-col gap-2 text-[13px] leading-5">
        {items.map((item) => (
          <li key={item.title} className="flex items-start gap-2">
            {item.isDone ? (
              <CircleCheck aria-label="Done" className="mt-0.5 size-4 shrink-0 text-success" />
            ) : (
              <CircleDashed aria-label="Open" className="mt-0.5 size-4 shrink-0 text-ink-faint" />
            )}
            <span className={item.isDone ? "text-ink-faint" : "text-ink"}>
              {item.isDone ? item.title : <Where item={item} appName={appName} onShow={onShow} />}
              {item.isRequired && !item.isDone && <span className="text-danger"> required</span>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Where({
  item,
  appName,
  onShow,
}: { item: ChecklistItem } & Pick<ChecklistCardProps, "appName" | "onShow">) {
  const { at, title } = item;
  if ("page" in at)
    return (
      <TextLink href={at.page === "manifest" ? `/publish/${appName}/manifest` : `/publish/${appName}`}>
        {title}
      </TextLink>
    );
  return (
    <button
      type="button"
      onClick={() => onShow(at.field)}
      className="cursor-pointer rounded-sm text-left text-accent-text underline decoration-accent-text/40 underline-offset-2 hover:decoration-accent-text"
    >
      {title}
    </button>
  );
}
