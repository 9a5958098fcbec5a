import { z } from "zod";
import { isRecord } from "./finding";

type Cut = (value: unknown) => unknown;

/**
 * Cuts each list that the shape bounds to one entry over its bound: enough to be refused. A hostile megabyte of
 * broken settings took 3 s to describe otherwise. Unknown keys stay whole, and what needs no cut is not copied.
 */
export function listCutter(shape: z.core.$ZodType): Cut {
  return cutterOf(shape) ?? ((value) => value);
}

/** Undefined for a shape that bounds no list. */
function cutterOf(shape: z.core.$ZodType): Cut | undefined {
  if (shape instanceof z.ZodOptional) return cutterOf(shape.unwrap());
  if (shape instanceof z.ZodArray) {
    const { maximum } = shape._zod.bag;
    return cutArray(typeof maximum === "number" ? maximum + 1 : Infinity, cutterOf(shape.element));
  }
  if (!(shape instanceof z.ZodObject)) return undefined;
  const members = Object.entries<z.core.$ZodType>(shape.shape).flatMap(([key, member]) => {
    const cut = cutterOf(member);
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
