import { recordsAt, type Finding } from "./finding";

/** Marks that turn the direction of what follows: harmless as text, and able to make it read as something else. */
const BIDI_CONTROL = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

/** False where no text of this source can hold such a mark: most sources, at little cost. */
export function mayTurn(source: string): boolean {
  return BIDI_CONTROL.test(source) || source.includes("\\u");
}

export function shownTextFindings(value: unknown): Finding[] {
  const settings = recordsAt(value, ["app", "fields"]);
  const values = settings.flatMap(({ path, record }) =>
    recordsAt(record, ["values"]).map((item) => ({ ...item, path: [...path, ...item.path] })),
  );
  const others = [...recordsAt(value, ["core", "fields"]), ...recordsAt(value, ["core", "externalRaters"])];
  return [...settings, ...values, ...others].flatMap(({ path, record }) =>
    ["title", "hint", "text", "name"].flatMap((key): Finding[] => {
      const text = record[key];
      if (typeof text !== "string" || !BIDI_CONTROL.test(text)) return [];
      const message = "This text holds marks that change the reading direction.";
      const hint = "Remove them, unless the language needs them.";
      return [{ code: "BIDI_CONTROL", path: [...path, key], message, hint, severity: "warning" }];
    }),
  );
}
