import { duplicates } from "./duplicates";
import { recordsAt, valueAt, type Finding } from "./finding";

/** Rules of `core` that span several members. A path belongs to one route, of whatever kind. */
export function coreFindings(value: unknown): Finding[] {
  const routes = ["webhooks", "autofill", "externalRaters"].flatMap((kind) =>
    recordsAt(value, ["core", kind]),
  );
  const raters = recordsAt(value, ["core", "externalRaters"]);
  const fields = recordsAt(value, ["core", "fields"]);
  return [
    ...duplicates(
      fields,
      "name",
      "DUPLICATE_NAME",
      (name) => `Another mapping field is named "${name}" too.`,
    ),
    ...duplicates(raters, "name", "DUPLICATE_NAME", (name) => `Another rater is named "${name}" too.`),
    ...duplicates(routes, "path", "DUPLICATE_PATH", (path) => `The path ${path} is declared twice.`),
    ...lifecycleFindings(value),
  ];
}

function lifecycleFindings(value: unknown): Finding[] {
  const events = valueAt(value, ["core", "lifecycle"]);
  if (!Array.isArray(events)) return [];
  const seen = new Set<string>();
  return events.flatMap((event: unknown, index): Finding[] => {
    if (typeof event !== "string") return [];
    if (!seen.has(event)) {
      seen.add(event);
      return [];
    }
    const message = `"${event.slice(0, 80)}" is declared twice.`;
    return [
      { code: "DUPLICATE_EVENT", path: ["core", "lifecycle", index], message, hint: "Keep one of them." },
    ];
  });
}
