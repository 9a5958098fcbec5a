"use client";

import type { LucideIcon } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { Label, Radio, RadioGroup, ToggleButton, ToggleButtonGroup } from "react-aria-components";

interface ChoiceGroupProps<Value extends string> {
  label: string;
  options: readonly { value: Value; text: string }[];
  value: Value;
  onChange: (value: Value) => void;
  isInvalid?: boolean;
}

/** A few visible choices of which one applies. The page shows the label elsewhere, so it is hidden here. */
export function ChoiceGroup<Value extends string>(props: ChoiceGroupProps<Value>) {
  const { label, options, value, onChange, isInvalid } = props;
  return (
    <RadioGroup
      value={value}
      onChange={(key) => {
        const chosen = options.find((option) => option.value === key);
        if (chosen !== undefined) onChange(chosen.value);
      }}
      orientation="horizontal"
      isInvalid={isInvalid}
      className="flex w-full rounded-field border border-line-strong bg-subtle p-0.5 invalid:border-danger sm:w-auto"
    >
      <Label className="sr-only">{label}</Label>
      {options.map((option) => (
        <Radio
          key={option.value}
          value={option.value}
          className="flex h-8 flex-1 cursor-pointer items-center justify-center rounded-[4px] border border-transparent px-3.5 text-[13px] whitespace-nowrap text-ink-soft hover:text-ink sm:h-7 sm:flex-none selected:border-line-strong selected:bg-surface selected:font-medium selected:text-ink selected:shadow-low"
        >
          {option.text}
        </Radio>
      ))}
    </RadioGroup>
  );
}

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

interface SegmentsProps<Value extends string> {
  /** Names the group for screen readers. */
  label: string;
  options: readonly { value: Value; text: string; icon?: LucideIcon }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Switches between a few views of the same thing. */
export function Segments<Value extends string>({ label, options, value, onChange }: SegmentsProps<Value>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={([key]) => {
        const chosen = options.find((option) => option.value === key);
        if (chosen !== undefined) onChange(chosen.value);
      }}
      className="inline-flex shrink-0 rounded-field border border-line bg-subtle p-0.5"
    >
      {options.map(({ value: id, text, icon: Icon }) => (
        <ToggleButton
          key={id}
          id={id}
          className="inline-flex h-7 cursor-pointer items-center gap-1.5 rounded-[4px] px-2.5 text-[13px] text-ink-soft hover:text-ink selected:bg-surface selected:font-medium selected:text-ink selected:shadow-low"
        >
          {Icon !== undefined && <Icon aria-hidden className="size-4" />}
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

interface LinkTabsProps {
  /** Names them for screen readers. */
  label: string;
  tabs: readonly { href: string; text: string }[];
}

/** Parts of one object, each a page of its own below the same header. The open one is the current URL. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  const pathname = usePathname();
  return (
    <nav
      aria-label={label}
      className="mb-6 flex gap-1 overflow-x-auto border-b border-line px-1 pt-1 sm:gap-2"
    >
      {tabs.map(({ href, text }) => {
        const current = href === pathname;
        return (
          <Link
            key={href}
            href={href}
            aria-current={current ? "page" : undefined}
            className={`-mb-px inline-flex h-10 shrink-0 items-center rounded-t-field border-b-2 px-2.5 text-sm transition-colors focus-visible:-outline-offset-2 sm:px-3 ${
              current
                ? "border-accent-text font-medium text-ink"
                : "border-transparent text-ink-soft hover:border-line-strong hover:text-ink"
            }`}
          >
            {text}
          </Link>
        );
      })}
    </nav>
  );
}
