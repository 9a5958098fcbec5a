"use client";

import { ChevronDown } from "lucide-react";
import { useRef, useState } from "react";
import { lazyDialog } from "@/components/ui/lazy-dialog";
import type { SelectOption } from "@/components/ui/option-list";
import { pillStyles } from "./pill-styles";

const ALL = "";

const SelectOptions = lazyDialog(async () => (await import("@/components/ui/select-options")).SelectOptions);

interface FilterSelectProps {
  label: string;
  /** The option that does not narrow the list; without it, one of the others is always chosen. */
  all?: string;
  options: readonly SelectOption[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A filter as a pill: its name, and what is chosen. */
export function FilterSelect({ label, all, options, value, onChange }: FilterSelectProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const chosen = options.find((option) => option.value === value);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="listbox"
        aria-expanded={open}
        className={pillStyles(value !== undefined)}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        <span className={value === undefined ? "" : "text-ink-faint"}>{label}</span>
        {value !== undefined && <span className="max-w-40 truncate">{chosen?.text ?? value}</span>}
        <ChevronDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      </button>
      <SelectOptions
        trigger={button}
        isOpen={open}
        onOpenChange={setOpen}
        label={label}
        options={all === undefined ? options : [{ value: ALL, text: all }, ...options]}
        value={value ?? ALL}
        onChange={(key) => onChange(key === ALL ? undefined : key)}
        className="max-h-80 max-w-[calc(100vw-16px)]"
      />
    </>
  );
}
