"use client";

import { Check, ChevronDown } from "lucide-react";
import { Button, ListBox, ListBoxItem, Popover, Select } from "react-aria-components";
import { pillStyles } from "./pill-styles";

interface FilterSelectProps {
  label: string;
  /** The option that does not narrow the list. */
  all: string;
  options: readonly { value: string; text: string; detail?: string }[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

const ALL = "";

/** A filter as a pill: its name, and what is chosen. */
export function FilterSelect({ label, all, options, value, onChange }: FilterSelectProps) {
  const chosen = options.find((option) => option.value === value);
  const items = [{ value: ALL, text: all, detail: undefined }, ...options];
  return (
    <Select
      aria-label={label}
      value={value ?? ALL}
      onChange={(key) => onChange(key === ALL || key === null ? undefined : String(key))}
    >
      <Button className={pillStyles(value !== undefined)}>
        <span className={value === undefined ? "" : "text-ink-faint"}>{label}</span>
        {value !== undefined && <span className="max-w-40 truncate">{chosen?.text ?? value}</span>}
        <ChevronDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      </Button>
      <Popover className="max-h-80 max-w-[calc(100vw-16px)] min-w-52 arrive overflow-auto rounded-card border border-line bg-raised p-1 shadow-high">
        <ListBox items={items} aria-label={label} className="outline-none">
          {(option) => (
            <ListBoxItem
              id={option.value}
              textValue={option.text}
              className="flex cursor-pointer items-center gap-3 rounded-field px-2 py-1.5 text-[13px] text-ink focus:bg-hover focus-visible:-outline-offset-2"
            >
              {({ isSelected }) => (
                <>
                  <span className="min-w-0 flex-1">
                    <span className="block truncate">{option.text}</span>
                    {option.detail !== undefined && (
                      <span className="block truncate text-xs text-ink-faint">{option.detail}</span>
                    )}
                  </span>
                  {isSelected && <Check aria-hidden className="size-4 shrink-0 text-accent-text" />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}
