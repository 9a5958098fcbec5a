"use client";

import { createContext, use, type RefObject } from "react";

/** What the palette, the list and the inspector share of the page, beside the store. */
export interface Desk {
  /** Selects an entry; with a pointer this opens it, too. */
  pick: (id: string) => void;
  /** Selects an entry (or the app) and, where the page is narrow, shows the inspector in place of the list. */
  open: (id: string) => void;
  /** Back to the list, where the page is narrow; to the entry's row. */
  close: () => void;
  /** Pressed last: a key's name, or nothing for a pointer. */
  lastKey: RefObject<string>;
}

const DeskContext = createContext<Desk | undefined>(undefined);
export const DeskProvider = DeskContext;

export function useDesk(): Desk {
  const desk = use(DeskContext);
  if (desk === undefined) throw new Error("no DeskProvider is above this");
  return desk;
}
