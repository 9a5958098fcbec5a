"use client";

import { Search } from "lucide-react";
import { Input, SearchField } from "react-aria-components";

/** Filters the menu below it, within an Autocomplete. It has the focus first. */
export function MenuSearch({ label }: { label: string }) {
  return (
    <SearchField aria-label={label} autoFocus className="relative shrink-0 border-b border-line">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-3.5 left-3.5 size-4 shrink-0 text-ink-faint"
      />
      <Input
        placeholder={label}
        className="h-11 w-full rounded-t-card bg-transparent pr-3 pl-10 text-sm text-ink -outline-offset-2 placeholder:text-ink-faint [&::-webkit-search-cancel-button]:hidden"
      />
    </SearchField>
  );
}
