"use client";

import type { Overlap } from "@/lib/contract/overlap";
import { SelectField } from "./select-field";

const CHOICES: { value: Overlap; text: string; detail?: string }[] = [
  { value: "now", text: "Immediately", detail: "If somebody else may know it." },
  { value: "1h", text: "In 1 hour" },
  { value: "24h", text: "In 24 hours" },
  { value: "7d", text: "In 7 days" },
];

/** When the earlier credentials or secrets stop working after a rotation. */
export function OverlapField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Overlap;
  onChange: (overlap: Overlap) => void;
}) {
  return (
    <SelectField
      label={label}
      options={CHOICES}
      value={value}
      onChange={(chosen) => {
        const found = CHOICES.find((choice) => choice.value === chosen);
        if (found !== undefined) onChange(found.value);
      }}
    />
  );
}
