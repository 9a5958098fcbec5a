/** The classes of a filter that is chosen with one click: a link, or a button. */
export function chipStyles(isChosen: boolean): string {
  const look = isChosen
    ? "border-transparent bg-accent-soft font-medium text-accent-text"
    : "border-line text-ink-soft hover:bg-hover hover:text-ink";
  return `inline-flex h-8 shrink-0 cursor-pointer items-center rounded-full border px-3 text-[13px] whitespace-nowrap transition-colors ${look}`;
}
