import type { Finding, Path } from "./finding";

/** One finding for each record whose string `key` an earlier record has already. */
export function duplicates(
  items: readonly { path: Path; record: Record<string, unknown> }[],
  key: string,
  code: string,
  say: (text: string) => string,
): Finding[] {
  const seen = new Set<string>();
  return items.flatMap(({ path, record }): Finding[] => {
    const text = record[key];
    if (typeof text !== "string") return [];
    if (!seen.has(text)) {
      seen.add(text);
      return [];
    }
    return [
      { code, path: [...path, key], message: say(text.slice(0, 80)), hint: "Rename or remove one of them." },
    ];
  });
}
