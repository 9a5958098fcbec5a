"use client";

import { useState } from "react";
import type * as z from "zod";

/** More is not kept: browsers store a few megabytes for a whole site. */
const MOST_CHARACTERS = 500_000;

/** State that is kept until the browser tab is closed. Render it in the browser only. */
export function useSessionState<State extends object>(
  key: string,
  shape: z.ZodType<State>,
  empty: State,
): [State, (changed: Partial<State>) => void] {
  const [kept, setKept] = useState(() => read(key, shape, empty));
  const change = (changed: Partial<State>) => {
    const next = { ...kept, ...changed };
    setKept(next);
    write(key, next);
  };
  return [kept, change];
}

function read<State>(key: string, shape: z.ZodType<State>, empty: State): State {
  try {
    return shape.parse(JSON.parse(sessionStorage.getItem(key) ?? ""));
  } catch {
    // Nothing was stored, or the browser doesn't allow it.
    return empty;
  }
}

function write(key: string, kept: object): void {
  const text = JSON.stringify(kept);
  try {
    if (text.length <= MOST_CHARACTERS) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  } catch {
    // The text is still on the page.
  }
}
