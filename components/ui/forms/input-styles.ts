/** Apart from the fields, because pages with a filter need it without their code. */

/** The classes of an input. `rows`: one line, or many that the user may resize. */
export function inputStyles({
  rows = "one",
  mono = false,
  className = "",
}: {
  rows?: "one" | "many";
  mono?: boolean;
  className?: string;
}): string {
  const height = rows === "one" ? "h-9" : "min-h-24 resize-y py-2 leading-6";
  const font = mono ? "font-mono text-small" : "text-sm";
  return `w-full min-w-0 rounded-field border border-line-strong bg-surface px-3 text-ink shadow-low transition-colors duration-100 placeholder:text-ink-faint hover:border-ink-faint focus:border-accent-text focus:outline-2 focus:-outline-offset-1 focus:outline-accent-text invalid:border-danger disabled:cursor-not-allowed disabled:bg-subtle disabled:opacity-70 ${height} ${font} ${className}`;
}
