import { duplicates } from "./duplicates";
import { isRecord, recordsAt, type Finding, type Path } from "./finding";

const SECRET_NAME = /secret|passw(or)?d|passphrase|token|credential|(api|private|access|secret)[_.-]?key/i;

/** Rules of `app.fields` that span several members. */
export function settingFindings(value: unknown): Finding[] {
  const settings = recordsAt(value, ["app", "fields"]);
  return [
    ...duplicates(settings, "name", "DUPLICATE_NAME", (name) => `Another setting is named "${name}" too.`),
    ...settings.flatMap(({ path, record }) => [
      ...valuesFindings(path, record),
      ...secretFindings(path, record),
    ]),
  ];
}

function valuesFindings(path: Path, setting: Record<string, unknown>): Finding[] {
  const present = Object.hasOwn(setting, "values");
  if (setting.type === "Select" && !present) {
    const hint = 'Add "values": [{ "text": "Shown", "value": "stored" }].';
    return [{ code: "VALUES_MISSING", path: [...path, "values"], message: "A Select needs values.", hint }];
  }
  if (present && (setting.type === "Text" || setting.type === "Password")) {
    const message = `Only a Select has values, not a ${setting.type}.`;
    const hint = 'Remove "values", or make the type "Select".';
    return [{ code: "VALUES_NOT_ALLOWED", path: [...path, "values"], message, hint }];
  }
  if (!repeats(setting.values)) return [];
  return duplicates(
    recordsAt(setting, ["values"]).map((item) => ({ ...item, path: [...path, ...item.path] })),
    "value",
    "DUPLICATE_VALUE",
    (chosen) => `The value "${chosen}" is offered twice.`,
  );
}

/** Asked first, since it is cheaper by far than a path for each value. */
function repeats(values: unknown): boolean {
  if (!Array.isArray(values)) return false;
  const seen = new Set<unknown>();
  return values.some((item: unknown) => {
    const value = isRecord(item) ? item.value : undefined;
    if (typeof value !== "string") return false;
    if (seen.has(value)) return true;
    seen.add(value);
    return false;
  });
}

function secretFindings(path: Path, { name, type, sensitive }: Record<string, unknown>): Finding[] {
  if (type !== "Text" || sensitive === true || typeof name !== "string" || !SECRET_NAME.test(name)) return [];
  const message = `"${name}" looks like a secret, and everybody who configures the app could read it back.`;
  return [
    {
      code: "LOOKS_SECRET",
      path,
      message,
      hint: 'Make it "Password", or add "sensitive": true.',
      severity: "warning",
    },
  ];
}
