"use client";

import { Search } from "lucide-react";
import { useEffect, useRef } from "react";

interface SearchFormProps {
  path: string;
  label: string;
  value: string;
  /** Other filters in the URL that a search keeps. */
  keep?: Record<string, string>;
  /** The parameter in the URL. */
  parameter?: string;
}

/** A GET form, so the search is in the URL and works before any script has loaded. It follows the URL. */
export function SearchForm({ path, label, value, keep = {}, parameter = "q" }: SearchFormProps) {
  const input = useFollowUrl();
  return (
    <form action={path} method="get" role="search" className="relative w-full max-w-sm">
      {Object.entries(keep).map(([name, kept]) => (
        <input key={name} type="hidden" name={name} value={kept} />
      ))}
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-faint" />
      <input
        // What was typed and not searched for belongs to the results of before.
        key={JSON.stringify([value, keep])}
        ref={input}
        type="search"
        name={parameter}
        defaultValue={value}
        // The browser would bring back what was typed when its page is opened again.
        autoComplete="off"
        aria-label={label}
        placeholder={label}
        maxLength={100}
        className="h-9 w-full rounded-field border border-line-strong bg-surface pr-3 pl-9 text-sm text-ink shadow-low placeholder:text-ink-faint focus:border-accent-text focus:outline-2 focus:-outline-offset-1 focus:outline-accent-text"
      />
    </form>
  );
}

/** A page that the browser kept for Back has what was typed on it, although its address has not. */
function useFollowUrl() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const follow = ({ persisted }: PageTransitionEvent) => {
      if (persisted && input.current !== null) input.current.value = input.current.defaultValue;
    };
    window.addEventListener("pageshow", follow);
    return () => window.removeEventListener("pageshow", follow);
  }, []);
  return input;
}
