"use client";

import type { SelectOption } from "./option-list";
import { SelectField } from "./select-field";

/** What no filter is named. */
const ANY = "any";

interface UrlSelectProps {
  label: string;
  /** The choice without a filter, such as "All actions". */
  any: string;
  options: readonly SelectOption[];
  value: string | undefined;
  /** Undefined: without this filter. */
  onChange: (value: string | undefined) => void;
  className?: string;
}

/** A filter in the URL. What the URL names may not be among the options: it is shown nevertheless. */
export function UrlSelect({ label, any, options, value, onChange, className }: UrlSelectProps) {
  const isKnown = value === undefined || options.some((option) => option.value === value);
  return (
    <SelectField
      label={label}
      isRequired
      className={className}
      options={[{ value: ANY, text: any }, ...options, ...(isKnown ? [] : [{ value, text: value }])]}
      value={value ?? ANY}
      onChange={(chosen) => onChange(chosen === ANY ? undefined : chosen)}
    />
  );
}
