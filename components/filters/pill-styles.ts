/** The classes of a filter's button. One that narrows the list stands out. */
export function pillStyles(isSet: boolean): string {
  const look = isSet
    ? "border-line-strong bg-surface text-ink"
    : "border-dashed border-line-strong text-ink-soft hover:bg-hover hover:text-ink";
  return `inline-flex h-8 max-w-full cursor-pointer items-center gap-1.5 rounded-full border px-3 text-[13px] transition-colors ${look}`;
}
