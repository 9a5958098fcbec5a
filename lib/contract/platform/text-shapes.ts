/** Shapes of texts that come from outside. */
import * as z from "zod";
import { atMost, BROKEN_CHARACTER, visibleIn } from "./text";

/** Text that the database can store. */
export const storableText = z
  .string()
  .refine((text) => !text.includes("\0"), "Remove the NUL character (U+0000). It cannot be stored.")
  .refine(
    (text) => !BROKEN_CHARACTER.test(text),
    "One character is broken (half of a surrogate pair). Remove it or enter it again.",
  );

/**
 * Trimmed text that one user writes and others read. Without a visible character it is empty, so that nobody reads an empty line where
 * words are needed. Each use adds its maximum length.
 */
export const shownText = storableText.trim().overwrite((text) => (visibleIn(text) === "" ? "" : text));

/** Text that needs at least so many visible characters. */
export function neededText(least: number, most: number, message: string) {
  return shownText
    .min(least, { error: message, abort: true })
    .max(most, atMost(most))
    .refine((text) => visibleIn(text).length >= least, message);
}

/** Organization and app slugs: the two parts of an app's name. */
export const slug = z
  .string()
  .min(2, {
    error: ({ input }) => (input === "" ? "Enter a name, such as acme-apps." : "Use at least 2 characters."),
  })
  .max(40, atMost(40))
  .regex(
    /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    "Use lowercase letters, digits, and single hyphens. Start with a letter.",
  );

/** Of a listing that is shown by link: what its link has beside its address. */
export const linkToken = storableText.max(100, atMost(100));

/** `<org-name>/<app-name>`. */
export interface AppName {
  organization: string;
  app: string;
}

/** Undefined unless `name` is `<org-name>/<app-name>`. */
export function splitAppName(name: string): AppName | undefined {
  const [organization, app, ...rest] = name.split("/");
  if (organization === undefined || app === undefined || rest.length > 0) return undefined;
  return slug.safeParse(organization).success && slug.safeParse(app).success
    ? { organization, app }
    : undefined;
}

/** Names that every object of JavaScript has, and nothing can be stored under. */
const RESERVED_NAMES = new Set(["__proto__", "constructor", "prototype"]);

/** Values by name. A plain record schema would silently drop `__proto__` before it checks any key. */
export function byName<Value extends z.ZodType>(value: Value) {
  return z.preprocess(
    (input, context) => {
      const names = typeof input === "object" && input !== null ? Object.keys(input) : [];
      for (const name of names.filter((each) => RESERVED_NAMES.has(each)))
        context.addIssue({
          code: "custom",
          path: [name],
          message: `The name “${name}” is reserved. Use another one.`,
        });
      return input;
    },
    z.record(z.string(), value),
  );
}
