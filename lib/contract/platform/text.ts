import * as z from "zod";

const BROKEN_CHARACTER = /\p{Surrogate}/u;

/** PostgreSQL cannot store a NUL character or half of a surrogate pair, although JSON can carry both. */
export function canBeStored(text: string): boolean {
  return !text.includes("\0") && !BROKEN_CHARACTER.test(text);
}

/**
 * The text as PostgreSQL can store it, with U+FFFD in place of what it can't. For text from outside, which nobody here can correct:
 * every parameter of a query passes through it, and JSON through `toStorableJson`. What is sealed, hashed or compared must pass first.
 */
export function makeStorable(text: string): string {
  return canBeStored(text) ? text : text.replaceAll(/\0|\p{Surrogate}/gu, "\uFFFD");
}

/** An escaped backslash, so that the other alternatives find only real escapes; NUL; half of a surrogate pair. */
const ESCAPES = /\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g;

/** Rare, and found in a fifth of the time that JSON takes to be written. Looking at each escape takes ten times as long. */
const MAY_ESCAPE = /u(?:0000|d[89a-f])/;

/** A value as JSON that PostgreSQL can store, in its names too. */
export function toStorableJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!MAY_ESCAPE.test(json)) return json;
  return json.replaceAll(ESCAPES, (escape) => (escape === "\\\\" ? escape : "\uFFFD"));
}

/** Text that the database can store. */
export const storableText = z
  .string()
  .refine((text) => !text.includes("\0"), "Remove the NUL character (U+0000). It cannot be stored.")
  .refine(
    (text) => !BROKEN_CHARACTER.test(text),
    "One character is broken (half of a surrogate pair). Remove it or enter it again.",
  );

/** Trimmed text that one user writes and others read. Each use adds its maximum length. */
export const shownText = storableText.trim();

export function atMost(characters: number): string {
  return `Use at most ${characters.toLocaleString("en-US")} characters.`;
}

/** The header that carries the state key on every request from the platform to an app. */
export const KEY_HEADER = "x-PLATFORM-key";

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

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID. PostgreSQL refuses to compare anything else with an id. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/** The smallest UUIDv7 of a millisecond: ids from there on were created then or later. */
export function firstIdAt(moment: Date): string {
  const ms = Math.max(0, Math.min(moment.getTime(), 0xffff_ffff_ffff));
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Processes number their rows with their own clocks, which are apart by less than this. */
const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * An id before those of all rows that began in the last `ageMs` on the database's clock. A query that asks for these adds it, because the
 * indexes of calls are in the order of ids; it still compares the times.
 */
export function firstIdWithin(ageMs: number, now = Date.now()): string {
  return firstIdAt(new Date(now - ageMs - CLOCK_SKEW_MS));
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
