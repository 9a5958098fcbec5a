"use client";

import type { ReactNode } from "react";
import { Label, Radio, RadioGroup } from "react-aria-components";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Clash } from "./both-sides";
import { SideText } from "./side-text";

export type Chosen = "theirs" | "mine";

interface ClashChoiceProps {
  clash: Clash;
  /** Of the revision that came first; a secret says its own. */
  who: string;
  when: string;
  value: Chosen | undefined;
  onChange: (side: Chosen) => void;
}

/** One entry that both changed: theirs on one side, mine on the other. */
export function ClashChoice({ clash, who, when, value, onChange }: ClashChoiceProps) {
  const { title, productName, theirs, mine } = clash;
  const isMapping = productName !== undefined;
  const by = (theirs.kind === "secret" ? theirs.by : undefined) ?? who;
  const at = (theirs.kind === "secret" ? theirs.at : undefined) ?? when;
  return (
    <RadioGroup
      value={value ?? null}
      onChange={(side) => onChange(side === "mine" ? "mine" : "theirs")}
      className="flex min-w-0 flex-col gap-2"
    >
      <Label className="text-[13px] break-words text-ink-soft">
        {title}
        {isMapping && ` of ${productName}`}
      </Label>
      <div className="grid gap-2 sm:grid-cols-2">
        <SideCard
          value="theirs"
          head={
            <>
              Theirs: {by}, <RelativeTime at={at} />
            </>
          }
        >
          <SideText side={theirs} isMapping={isMapping} />
        </SideCard>
        <SideCard value="mine" head="Mine: not saved yet">
          <SideText side={mine} isMapping={isMapping} isMine />
        </SideCard>
      </div>
    </RadioGroup>
  );
}

function SideCard({ value, head, children }: { value: Chosen; head: ReactNode; children: ReactNode }) {
  return (
    <Radio
      value={value}
      className="group flex min-w-0 cursor-pointer items-start gap-3 rounded-field border border-line px-3 py-2.5 hover:bg-hover focus-visible:outline-2 focus-visible:outline-accent-text selected:border-accent-text selected:bg-accent-soft"
    >
      <span className="mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border border-line-strong bg-surface group-selected:border-[5px] group-selected:border-accent" />
      <span className="flex min-w-0 flex-1 flex-col gap-0.5 text-[13px] leading-5">
        <span className="text-ink-faint">{head}</span>
        {children}
      </span>
    </Radio>
  );
}
