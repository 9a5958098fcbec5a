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
  return `input ${height} ${font} ${className}`;
}
