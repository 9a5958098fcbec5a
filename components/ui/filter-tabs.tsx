import Link from "next/link";
import { LinkPending } from "./link-pending";

interface FilterTabsProps {
  /** Names the group for screen readers. */
  label: string;
  options: { href: string; text: string; current: boolean }[];
}

/** A filter whose choice stands in the URL. */
export function FilterTabs({ label, options }: FilterTabsProps) {
  return (
    <nav aria-label={label} className="-mx-1 flex gap-1 overflow-x-auto px-1 py-1">
      {options.map((option) => (
        <Link
          key={option.href}
          href={option.href}
          aria-current={option.current ? "true" : undefined}
          className={`inline-flex h-8 shrink-0 items-center rounded-full border px-3 text-[13px] transition-colors ${
            option.current
              ? "border-transparent bg-accent-soft font-medium text-accent-text"
              : "border-line text-ink-soft hover:bg-hover hover:text-ink"
          }`}
        >
          {option.text}
          <LinkPending />
        </Link>
      ))}
    </nav>
  );
}
