"use client";

import { SelectField } from "@/components/ui/select-field";
import { KEY_LIFETIMES } from "@/lib/contract/api-key-scope";
import type { ApiKeyInput } from "@/lib/contract/api-key";

type Days = ApiKeyInput["days"];

const OPTIONS = KEY_LIFETIMES.map((days) => ({
  value: String(days),
  text: days === 0 ? "Never" : `In ${days} days`,
}));

/** When a new key stops working. */
export function LifetimeField({ value, onChange }: { value: Days; onChange: (days: Days) => void }) {
  return (
    <SelectField
      label="Expires"
      isRequired
      options={OPTIONS}
      value={String(value)}
      onChange={(chosen) => {
        const found = KEY_LIFETIMES.find((days) => String(days) === chosen);
        if (found !== undefined) onChange(found);
      }}
      hint={value === 0 ? "The key works until you revoke it." : undefined}
    />
  );
}
