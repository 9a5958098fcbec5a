"use client";

import { ChevronDown } from "lucide-react";
import { Button, Select } from "react-aria-components";
import { OptionList, type SelectOption } from "@/components/ui/option-list";
import { pillStyles } from "./pill-styles";

interface FilterSelectProps {
  label: string;
  /** The option that does not narrow the list. */
  all: string;
  options: readonly SelectOption[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

const ALL = "";

/** A filter as a pill: its name, and what is chosen. */
export function FilterSelect({ label, all, options, value, onChange }: FilterSelectProps) {
  const chosen = options.find((option) => option.value === value);
  const items = [{ value: ALL, text: all }, ...options];
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
      <OptionList options={items} label={label} className="max-h-80 max-w-[calc(100vw-16px)]" />
    </Select>
  );
}
