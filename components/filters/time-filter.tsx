"use client";

import { CalendarClock, ChevronDown } from "lucide-react";
import { useRef, useState } from "react";
import { lazyDialog } from "@/components/ui/lazy-dialog";
import { TIME_SPANS, type TimeRange } from "@/lib/contract/time-range";
import { pillStyles } from "./pill-styles";

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
  const isSet = last !== undefined || from !== undefined || to !== undefined;
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        className={pillStyles(isSet)}
        onClick={() => setOpen(!open)}
      >
        <CalendarClock aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
        <span className="truncate">{describeTime(filter)}</span>
        <ChevronDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      </button>
      <TimePopover trigger={button} isOpen={open} onOpenChange={setOpen} filter={filter} change={change} />
    </>
  );
}

const moment = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});

function describeTime({ last, from, to }: TimeRange): string {
  if (from !== undefined && to !== undefined) return `${format(from)} – ${format(to)}`;
  if (from !== undefined) return `Since ${format(from)}`;
  if (to !== undefined) return `Until ${format(to)}`;
  return last === undefined ? "Any time" : TIME_SPANS[last].text;
}

const format = (at: string) => moment.format(new Date(at));
