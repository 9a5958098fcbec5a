/** Keeps the check of large and hostile manifests fast, without changing what it finds. */
import * as z from "zod";
import { isRecord, getMember, valueAt } from "../../json-text/json-value";
import type { Manifest, Setting } from "@/lib/contract/manifest";
import { MANIFEST_LIMITS } from "@/lib/contract/manifest-terms";

type Cut = (value: unknown) => unknown;

/**
 * Cuts each list to one entry over the shape's limit: enough to be refused. Without this, describing a hostile 1 MiB of
 * broken settings took 3 s. Unknown keys stay whole; values that need no cut are not copied.
 */
export function listCutter(shape: z.core.$ZodType): Cut {
  return findCutter(shape) ?? ((value) => value);
}

/** Undefined for a shape without limited lists. */
function findCutter(shape: z.core.$ZodType): Cut | undefined {
  if (shape instanceof z.ZodOptional) return findCutter(shape.unwrap());
  if (shape instanceof z.ZodArray) {
    const { maximum } = shape._zod.bag;
    return cutArray(typeof maximum === "number" ? maximum + 1 : Infinity, findCutter(shape.element));
  }
  if (!(shape instanceof z.ZodObject)) return undefined;
  const members = Object.entries<z.core.$ZodType>(shape.shape).flatMap(([key, member]) => {
    const cut = findCutter(member);
    return cut === undefined ? [] : [{ key, cut }];
  });
  return members.length === 0 ? undefined : cutMembers(members);
}

function cutArray(most: number, cut: Cut | undefined): Cut {
  return (value) => {
    if (!Array.isArray(value)) return value;
    const kept: unknown[] = value.length > most ? value.slice(0, most) : value;
    if (cut === undefined) return kept;
    const items = kept.map(cut);
    return items.every((item, index) => item === kept[index]) ? kept : items;
  };
}

function cutMembers(members: readonly { key: string; cut: Cut }[]): Cut {
  return (value) => {
    if (!isRecord(value)) return value;
    return members.reduce((whole, { key, cut }) => {
      if (!Object.hasOwn(whole, key)) return whole;
      const kept = cut(whole[key]);
      return kept === whole[key] ? whole : { ...whole, [key]: kept };
    }, value);
  };
}

type Values = NonNullable<Setting["values"]>;

const PLACEHOLDER: Values = [{ text: "-", value: "-" }];

/**
 * Replaces valid lists of values by a placeholder, since the shape's parse takes ten times as long as this check, and
 * 20,000 values are most of a manifest at its limit. Invalid lists stay, so that the shape describes them.
 */
export function setAsideValues(value: unknown): { lean: unknown; putBack: (manifest: Manifest) => void } {
  const fields = valueAt(value, ["app", "fields"]);
  const aside = new Map<number, Values>();
  if (!isRecord(value) || !Array.isArray(fields)) return { lean: value, putBack: () => undefined };
  const lean = fields.map((setting: unknown, index): unknown => {
    const values = getMember(setting, "values");
    if (!isRecord(setting) || !areValid(values)) return setting;
    aside.set(index, values);
    return { ...setting, values: PLACEHOLDER };
  });
  return {
    lean: { ...value, app: { ...(isRecord(value.app) ? value.app : {}), fields: lean } },
    putBack: (manifest) => {
      for (const [index, values] of aside) {
        const setting = manifest.app?.fields?.[index];
        if (setting !== undefined) setting.values = values;
      }
    },
  };
}

/** Must agree with `settingValue` in lib/contract/manifest.ts; the differential test compares them. */
function areValid(values: unknown): values is Values {
  if (!Array.isArray(values) || values.length === 0 || values.length > MANIFEST_LIMITS.values) return false;
  return values.every((item: unknown) => {
    if (!isRecord(item)) return false;
    const { text, value } = item;
    if (typeof text !== "string" || typeof value !== "string" || text.length === 0) return false;
    return text.length <= MANIFEST_LIMITS.text && value.length <= MANIFEST_LIMITS.text;
  });
}
