/** Made-up customers: what they answer to an app's questions, so that they can be told apart. */
import type { MappingField, Setting } from "@/lib/contract/manifest";
import { isPathField, isSensitive } from "@/lib/contract/manifest-terms";
import type { Mapping } from "../mapping/check-mappings";
import { listLeaves, schemaTree } from "../mapping/schema-tree";
import { suggestPaths } from "../mapping/suggest-paths";

export interface InventedSetting {
  name: string;
  value: string;
  /** Must never be in a log or an answer. */
  secret: boolean;
}

/** @param customer 0 or 1 @param marker letters and digits that occur nowhere else @param secret the same, for secrets */
export function inventSetting(
  setting: Setting,
  customer: number,
  { marker, secret }: { marker: string; secret: string },
): InventedSetting {
  const { name, values = [] } = setting;
  if (setting.type === "Select") {
    const value = values[customer % Math.max(1, values.length)]?.value ?? "";
    return { name, value, secret: false };
  }
  if (isSensitive(setting)) return { name, value: `canary-${secret}-${name}`, secret: true };
  return { name, value: inventText(`${name} ${setting.title}`, marker, customer), secret: false };
}

/** In the form that its name suggests, because apps check what customers enter. */
function inventText(name: string, marker: string, customer: number): string {
  if (/e-?mail/i.test(name)) return `${marker}@sample.example`;
  if (/\b(url|uri|endpoint|web ?site)|(url|uri)\b/i.test(name)) return `https://${marker}.sample.example`;
  if (/host|domain/i.test(name)) return `${marker}.sample.example`;
  if (/percent|count|limit|days|hours|minutes|number of|amount|factor|rate\b/i.test(name))
    return String(10 + customer);
  return `sample-${marker}`;
}

interface Product {
  name: string;
  schema: unknown;
}

/** Each field at the path that fits its name best. */
export function inventMappings(
  fields: readonly MappingField[],
  products: readonly Product[],
  marker: string,
): Mapping[] {
  return products.map(({ name, schema }) => {
    const leaves = listLeaves(schemaTree(schema));
    const entries = fields.flatMap((field) => {
      if (!isPathField(field)) return [[field.name, `sample-${marker}`] as const];
      const path = suggestPaths(field, leaves)[0]?.path ?? leaves[0]?.path;
      return path === undefined ? [] : [[field.name, path] as const];
    });
    return { productName: name, fields: Object.fromEntries(entries) };
  });
}
