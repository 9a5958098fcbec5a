import { z } from "zod";
import { isRecord, type Finding } from "./finding";

/** Keys that the shape does not know, at every level that it describes. They are kept, so this is a warning. */
export function findUnknownKeys(shape: z.core.$ZodType, value: unknown): Finding[] {
  const findings: Finding[] = [];
  walk(shape, value, [], findings);
  return findings;
}

/** `path` is the walk's own: it is copied only where something is found. */
function walk(shape: z.core.$ZodType, value: unknown, path: (string | number)[], findings: Finding[]): void {
  if (shape instanceof z.ZodOptional) {
    walk(shape.unwrap(), value, path, findings);
    return;
  }
  if (shape instanceof z.ZodArray && shape.element instanceof z.ZodObject && Array.isArray(value)) {
    const members: Record<string, z.core.$ZodType> = shape.element.shape;
    value.forEach((item: unknown, index) => {
      path.push(index);
      walkMembers(members, item, path, findings);
      path.pop();
    });
    return;
  }
  if (shape instanceof z.ZodObject) walkMembers(shape.shape, value, path, findings);
}

function walkMembers(
  members: Record<string, z.core.$ZodType>,
  value: unknown,
  path: (string | number)[],
  findings: Finding[],
): void {
  if (!isRecord(value)) return;
  for (const key of Object.keys(value)) {
    const known = Object.hasOwn(members, key) ? members[key] : undefined;
    if (known !== undefined) {
      if (typeof value[key] !== "object") continue;
      path.push(key);
      walk(known, value[key], path, findings);
      path.pop();
    } else if (key !== "__proto__") {
      const message = `"${key}" is not a key that the platform knows.`;
      const hint = `It is kept and has no effect. Known here: ${Object.keys(members).join(", ")}.`;
      findings.push({ code: "UNKNOWN_KEY", path: [...path, key], message, hint, severity: "warning" });
    }
  }
}
