"use client";

import { CalendarClock, ChevronDown, Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { lazyDialog } from "@/components/ui/forms/lazy-code";
import type { SelectOption } from "@/components/ui/forms/select-options";
import { useZone } from "@/components/ui/zone";
import { TIME_SPANS, type TimeRange } from "@/lib/contract/platform/time-range";
import { nameZone, writeTime } from "@/lib/domain/platform/zone";

const ALL = "";

const SelectOptions = lazyDialog(
  async () => (await import("@/components/ui/forms/select-options")).SelectOptions,
);

interface FilterSelectProps {
  label: string;
  /** The option that does not narrow the list; without it, one of the others is always chosen. */
  all?: string;
  options: readonly SelectOption[];
  /** The handler that finds further options, which are too many for the page. */
  search?: string;
  /** What is not among the options. */
  note?: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A filter as a pill: its name, and what is chosen. */
export function FilterSelect({ label, all, options, search, note, value, onChange }: FilterSelectProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [found, setFound] = useState<SelectOption>();
  const known = found === undefined ? options : [...options, found];
  const chosen = known.find((option) => option.value === value);
  const offered = search === undefined || chosen === undefined ? options : [chosen];
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
        options={all === undefined ? offered : [{ value: ALL, text: all }, ...offered]}
        search={search}
        note={note}
        value={value ?? ALL}
        onChange={(key, option) => {
          setFound(option);
          onChange(key === ALL ? undefined : key);
        }}
        className="max-h-80 max-w-[calc(100vw-16px)]"
      />
    </>
  );
}

interface TextFilterProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  className: string;
}

/** Applied with Enter, or when it is cleared. The input keeps its focus, and follows the URL. */
export function TextFilter({ label, value = "", onChange, className }: TextFilterProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current !== null && input.current.value.trim() !== value) input.current.value = value;
  }, [value]);
  return (
    <form
      role="search"
      aria-label={label}
      className={`relative ${className}`}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(input.current?.value.trim() || undefined);
      }}
    >
      <Search aria-hidden className="pointer-events-none absolute top-2 left-3 size-4 text-ink-faint" />
      <input
        ref={input}
        type="search"
        defaultValue={value}
        autoComplete="off"
        aria-label={label}
        placeholder={label}
        maxLength={100}
        onInput={(event) => {
          if (event.currentTarget.value === "" && value !== "") onChange(undefined);
        }}
        className="h-8 w-full rounded-full border border-line-strong bg-surface pr-3 pl-9 text-small text-ink placeholder:text-ink-faint focus:border-accent-text focus:outline-2 focus:-outline-offset-1 focus:outline-accent-text"
      />
    </form>
  );
}

const TimePopover = lazyDialog(async () => (await import("./time-popover")).TimePopover);

interface TimeFilterProps {
  filter: TimeRange;
  change: (changed: TimeRange) => void;
}

/** A period before now, or exact times. */
export function TimeFilter({ filter, change }: TimeFilterProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { last, from, to } = filter;
  const zone = useZone();
  const isSet = last !== undefined || from !== undefined || to !== undefined;
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        title={nameZone(zone, from ?? to)}
        className={pillStyles(isSet)}
        onClick={() => setOpen(!open)}
      >
        <CalendarClock aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
        <span className="truncate">{describeTime(filter, zone)}</span>
        <ChevronDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      </button>
      <TimePopover trigger={button} isOpen={open} onOpenChange={setOpen} filter={filter} change={change} />
    </>
  );
}

function describeTime({ last, from, to }: TimeRange, zone: string): string {
  const format = (at: string) => writeTime(at, "minute", zone);
  if (from !== undefined && to !== undefined) return `${format(from)} – ${format(to)}`;
  if (from !== undefined) return `Since ${format(from)}`;
  if (to !== undefined) return `Until ${format(to)}`;
  return last === undefined ? "Any time" : TIME_SPANS[last].text;
}

/** The classes of a filter's button. One that narrows the list is highlighted. */
function pillStyles(isSet: boolean): string {
  const look = isSet
    ? "border-line-strong bg-surface text-ink"
    : "border-dashed border-line-strong text-ink-soft hover:bg-hover hover:text-ink";
  return `inline-flex h-8 max-w-full cursor-pointer items-center gap-1.5 rounded-full border px-3 text-small transition-colors ${look}`;
}
