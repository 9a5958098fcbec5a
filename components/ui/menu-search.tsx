"use client";

import { Search } from "lucide-react";
import { Input, SearchField } from "react-aria-components";

/** Filters the menu below it, within an Autocomplete. It has the focus first. */
export function MenuSearch({ label }: { label: string }) {
  return (
    <SearchField
      aria-label={label}
      autoFocus
      className="flex shrink-0 items-center gap-3 border-b border-line pl-4"
    >
      <Search aria-hidden className="size-4 shrink-0 text-ink-faint" />
      <Input
        placeholder={label}
        className="h-11 min-w-0 flex-1 bg-transparent text-sm text-ink -outline-offset-2 placeholder:text-ink-faint [&::-webkit-search-cancel-button]:hidden"
      />
    </SearchField>
  );
}
