import { z } from "zod";
import { isRecord, type Finding, type Path } from "./finding";

/** Keys that the shape does not know, at every level that it describes. They are kept, so this is a warning. */
export function findUnknownKeys(shape: z.core.$ZodType, value: unknown, path: Path = []): Finding[] {
  if (shape instanceof z.ZodOptional) return findUnknownKeys(shape.unwrap(), value, path);
  if (shape instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => findUnknownKeys(shape.element, item, [...path, index]));
  }
  if (!(shape instanceof z.ZodObject) || !isRecord(value)) return [];
  const members: Record<string, z.core.$ZodType> = shape.shape;
  return Object.entries(value).flatMap(([key, member]): Finding[] => {
    const known = Object.hasOwn(members, key) ? members[key] : undefined;
    if (known !== undefined) return findUnknownKeys(known, member, [...path, key]);
    if (key === "__proto__") return [];
    const message = `"${key}" is not a key that the platform knows.`;
    const hint = `It is kept and has no effect. Known here: ${Object.keys(members).join(", ")}.`;
    return [{ code: "UNKNOWN_KEY", path: [...path, key], message, hint, severity: "warning" }];
  });
}
