"use client";

import type { ReactNode } from "react";
import { Radio } from "react-aria-components";

/** A choice with room for more than its name, within a RadioGroup. */
export function ChoiceCard({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Radio
      value={value}
      className="group flex min-w-0 cursor-pointer items-start gap-3 rounded-field border border-line px-4 py-3 hover:bg-hover selected:border-accent-text selected:bg-accent-soft"
    >
      <span className="mt-1 flex size-4 shrink-0 items-center justify-center rounded-full border border-line-strong bg-surface group-selected:border-[5px] group-selected:border-accent" />
      <span className="min-w-0 flex-1">{children}</span>
    </Radio>
  );
}
