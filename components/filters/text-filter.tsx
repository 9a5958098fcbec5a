"use client";

import { Search } from "lucide-react";
import { useEffect, useRef } from "react";

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
        aria-label={label}
        placeholder={label}
        maxLength={100}
        onInput={(event) => {
          if (event.currentTarget.value === "" && value !== "") onChange(undefined);
        }}
        className="h-8 w-full rounded-full border border-line-strong bg-surface pr-3 pl-9 text-[13px] text-ink placeholder:text-ink-faint focus:border-accent-text focus:outline-2 focus:-outline-offset-1 focus:outline-accent-text"
      />
    </form>
  );
}
