import { MANIFEST_LIMITS, type Manifest, type Setting } from "@/lib/contract/manifest";
import { isRecord, memberOf, valueAt } from "./finding";

type Values = NonNullable<Setting["values"]>;

const STAND_IN: Values = [{ text: "-", value: "-" }];

/**
 * Takes lists of values that are right out of the way of the shape's parse, which takes ten times as long over them:
 * 20,000 values are most of a manifest at its limit. Any other list stays where it is, to be described.
 */
export function setAsideValues(value: unknown): { lean: unknown; putBack: (manifest: Manifest) => void } {
  const fields = valueAt(value, ["app", "fields"]);
  const aside = new Map<number, Values>();
  if (!isRecord(value) || !Array.isArray(fields)) return { lean: value, putBack: () => undefined };
  const lean = fields.map((setting: unknown, index): unknown => {
    const values = memberOf(setting, "values");
    if (!isRecord(setting) || !areRight(values)) return setting;
    aside.set(index, values);
    return { ...setting, values: STAND_IN };
  });
  return {
    lean: { ...value, app: { ...(isRecord(value.app) ? value.app : {}), fields: lean } },
    putBack: (manifest) => {
      for (const [index, values] of aside) {
        const setting = manifest.app.fields[index];
        if (setting !== undefined) setting.values = values;
      }
    },
  };
}

/** Says the same as the shape. A test holds them together. */
function areRight(values: unknown): values is Values {
  if (!Array.isArray(values) || values.length === 0 || values.length > MANIFEST_LIMITS.values) return false;
  return values.every((item: unknown) => {
    if (!isRecord(item)) return false;
    const { text, value } = item;
    if (typeof text !== "string" || typeof value !== "string" || text.length === 0) return false;
    return text.length <= MANIFEST_LIMITS.text && value.length <= MANIFEST_LIMITS.text;
  });
}
