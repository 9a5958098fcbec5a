import { Search } from "lucide-react";

interface SearchFormProps {
  path: string;
  label: string;
  value: string;
  /** Other filters of the URL that a search keeps. */
  keep?: Record<string, string>;
}

/** A GET form: the search stands in the URL and works before any script has loaded. */
export function SearchForm({ path, label, value, keep = {} }: SearchFormProps) {
  return (
    <form action={path} method="get" role="search" className="relative w-full max-w-sm">
      {Object.entries(keep).map(([name, kept]) => (
        <input key={name} type="hidden" name={name} value={kept} />
      ))}
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-faint" />
      <input
        key={value}
        type="search"
        name="q"
        defaultValue={value}
        aria-label={label}
        placeholder={label}
        maxLength={100}
        className="h-9 w-full rounded-field border border-line-strong bg-surface pr-3 pl-9 text-sm text-ink shadow-low placeholder:text-ink-faint focus:border-accent-text focus:outline-2 focus:-outline-offset-1 focus:outline-accent-text"
      />
    </form>
  );
}
