/** Values of a URL's query. What can't be read is undefined, as if it were missing. Without zod, for pages. */

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TEXT_LENGTH = 200;

export function pickOne<Value extends string>(values: readonly Value[], given: unknown): Value | undefined {
  return values.find((value) => value === given);
}

export function readText(given: unknown): string | undefined {
  const text = typeof given === "string" ? given.trim() : "";
  return text === "" || text.length > TEXT_LENGTH ? undefined : text;
}

export function readMatch(format: RegExp, given: unknown): string | undefined {
  return typeof given === "string" && format.test(given) ? given : undefined;
}

export function readId(given: unknown): string | undefined {
  return readMatch(ID, given);
}

/** A filter as a URL's query, without what is not set. */
export function toQuery(filter: object): URLSearchParams {
  const set = Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(set);
}
