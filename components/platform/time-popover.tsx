"use client";

import { type RefObject, useState } from "react";
import { Dialog, Label, Popover } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { inputStyles } from "@/components/ui/forms/input-styles";
import { useZone, ZoneName } from "@/components/ui/zone";
import { TIME_SPANS, type TimeRange, type TimeSpan } from "@/lib/contract/platform/time-range";
import { toInstant, toLocalTime } from "@/lib/domain/platform/zoned-time";

interface TimePopoverProps {
  trigger: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  filter: TimeRange;
  change: (changed: TimeRange) => void;
}

/** Periods to choose from, and inputs for exact times. */
export function TimePopover({ trigger, isOpen, onOpenChange, filter, change }: TimePopoverProps) {
  return (
    <Popover
      triggerRef={trigger}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      className="max-w-[calc(100vw-16px)] arrive overflow-auto rounded-card border border-line bg-raised p-3 shadow-high"
    >
      <Dialog aria-label="Time" className="flex w-72 max-w-full flex-col gap-3 outline-none">
        <TimeForm
          filter={filter}
          onChange={(time) => {
            change(time);
            onOpenChange(false);
          }}
        />
      </Dialog>
    </Popover>
  );
}

const SPANS = Object.keys(TIME_SPANS).filter((key): key is TimeSpan => key in TIME_SPANS);

function TimeForm({ filter, onChange }: { filter: TimeRange; onChange: (time: TimeRange) => void }) {
  const zone = useZone();
  const shown = { from: toLocalTime(filter.from, zone), to: toLocalTime(filter.to, zone) };
  const [from, setFrom] = useState(shown.from);
  const [to, setTo] = useState(shown.to);
  // A time that was not changed stays the same instant, also if the clock shows it twice.
  const range = {
    from: from === shown.from ? filter.from : toInstant(from, zone, "from"),
    to: to === shown.to ? filter.to : toInstant(to, zone, "to"),
  };
  const isBackward =
    range.from !== undefined && range.to !== undefined && Date.parse(range.from) >= Date.parse(range.to);
  return (
    <>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-2">
        {SPANS.map((span) => (
          <Button
            key={span}
            size="small"
            tone={filter.last === span ? "primary" : "secondary"}
            onPress={() => onChange({ last: span, from: undefined, to: undefined })}
          >
            {TIME_SPANS[span].text}
          </Button>
        ))}
        <Button
          size="small"
          className="col-span-2"
          onPress={() => onChange({ last: undefined, from: undefined, to: undefined })}
        >
          Any time
        </Button>
      </div>
      <form
        className="flex flex-col gap-3 border-t border-line pt-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBackward) onChange({ last: undefined, ...range });
        }}
      >
        <MomentField label="From" value={from} onChange={setFrom} />
        <MomentField label="To" value={to} onChange={setTo} />
        <p className="text-small leading-5 text-ink-faint">
          Times are in <ZoneName at={range.from ?? range.to} />.
        </p>
        {isBackward && <p className="text-small leading-5 text-danger">The end must be after the start.</p>}
        <Button type="submit" size="small" tone="primary" isDisabled={from === "" && to === ""}>
          Show this range
        </Button>
      </form>
    </>
  );
}

function MomentField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (to: string) => void;
}) {
  return (
    <Label className="flex flex-col gap-1 text-small font-medium text-ink">
      {label}
      <input
        type="datetime-local"
        step={1}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={inputStyles({})}
      />
    </Label>
  );
}
