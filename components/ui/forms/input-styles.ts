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

/**
 * The props of an input, with its classes, that say to the extensions of 1Password, LastPass, Bitwarden, Dashlane, Proton Pass, and
 * Keeper that it is not part of a login. They ignore `autocomplete="off"`, each reads an attribute of its own, Keeper a class, and some
 * read it only when the field appears.
 */
export function noLogin(className: string) {
  return {
    className: `keeper-ignore ${className}`,
    "data-1p-ignore": "true",
    "data-lpignore": "true",
    "data-bwignore": "true",
    "data-form-type": "other",
    "data-protonpass-ignore": "true",
  } as const;
}
