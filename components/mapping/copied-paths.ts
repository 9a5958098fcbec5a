import type { MappingField } from "@/lib/contract/manifest";
import type { AnswerChange, AnswerSheet } from "@/lib/domain/answer-sheet";
import { mappingPointer } from "@/lib/domain/mapping/check-mappings";

export function readPaths(
  sheet: AnswerSheet,
  product: string,
  fields: readonly MappingField[],
): Record<string, string> {
  return Object.fromEntries(fields.map(({ name }) => [name, sheet.path(product, name).trim()]));
}

export function isMapped(sheet: AnswerSheet, product: string, fields: readonly MappingField[]): boolean {
  return fields.some(({ name }) => sheet.path(product, name).trim() !== "");
}

export function toChanges(product: string, paths: Readonly<Record<string, string>>): AnswerChange[] {
  return Object.entries(paths).map(([field, text]) => [
    mappingPointer(product, field),
    { action: "set", text },
  ]);
}
