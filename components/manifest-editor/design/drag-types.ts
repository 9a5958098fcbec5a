/** What a drag carries. Types are lower-case, since browsers make them so. */
import { INGREDIENTS, kindOf, type Ingredient } from "@/lib/domain/manifest/new-entry";
import type { EntryKind } from "@/lib/domain/manifest/outline-manifest";

/** An entry that is moved within its list. */
export function entryType(kind: EntryKind): string {
  return `manifest-entry-${kind}`;
}

/** Something of the palette that belongs to this kind's list. */
export function paletteType(kind: EntryKind): string {
  return `manifest-palette-${kind}`;
}

function ingredientType(ingredient: Ingredient): string {
  return `manifest-ingredient-${ingredient.toLowerCase()}`;
}

/** The ingredient is named by a type, since a drop can read the types at once but the data only later. */
export function dragItemOf(ingredient: Ingredient, name: string): Record<string, string> {
  return { [paletteType(kindOf(ingredient))]: name, [ingredientType(ingredient)]: name };
}

export function ingredientOf(types: ReadonlySet<string>): Ingredient | undefined {
  return INGREDIENTS.find((ingredient) => types.has(ingredientType(ingredient)));
}
