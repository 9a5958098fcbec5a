"use client";

import { createContext, use, type RefObject } from "react";

/** Shared by the palette, the list and the inspector, in addition to the store. */
export interface Desk {
  /** Selects an entry; opens it too if a pointer was used. */
  pick: (id: string) => void;
  /** Selects an entry or the app. On narrow pages, shows the inspector instead of the list. */
  open: (id: string) => void;
  /** Returns to the entry's row in the list. */
  close: () => void;
  /** The last pressed key; empty after a pointer event. */
  lastKey: RefObject<string>;
}

const DeskContext = createContext<Desk | undefined>(undefined);
export const DeskProvider = DeskContext;

export function useDesk(): Desk {
  const desk = use(DeskContext);
  if (desk === undefined) throw new Error("DeskProvider is missing");
  return desk;
}
