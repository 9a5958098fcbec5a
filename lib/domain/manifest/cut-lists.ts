import { z } from "zod";
import { isRecord } from "./finding";

/**
 * Cuts each list that the shape bounds to one entry over its bound: enough to be refused. A hostile megabyte of
 * broken settings took 3 s to describe otherwise. Unknown keys stay whole.
 */
export function cutLists(shape: z.core.$ZodType, value: unknown): unknown {
  if (shape instanceof z.ZodOptional) return cutLists(shape.unwrap(), value);
  if (shape instanceof z.ZodArray && Array.isArray(value)) {
    const { maximum } = shape._zod.bag;
    const kept: unknown[] = typeof maximum === "number" ? value.slice(0, maximum + 1) : value;
    return kept.map((item) => cutLists(shape.element, item));
  }
  if (!(shape instanceof z.ZodObject) || !isRecord(value)) return value;
  const members: Record<string, z.core.$ZodType> = shape.shape;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const known = Object.hasOwn(members, key) ? members[key] : undefined;
      return [key, known === undefined ? member : cutLists(known, member)];
    }),
  );
}
