"use client";

import { useState } from "react";
import * as z from "zod";

const drafts = z.object({
  routeId: z.string(),
  /** Event type or operation, by route. */
  names: z.record(z.string(), z.string()),
  product: z.string(),
  /** The typed payloads, by route and name. */
  typed: z.record(z.string(), z.string()),
});
export type Drafts = z.infer<typeof drafts>;

const EMPTY: Drafts = { routeId: "", names: {}, product: "", typed: {} };

/** More is not kept: browsers store a few megabytes for a whole site. */
const MOST_CHARACTERS = 500_000;

/** The choices and payloads of a console, kept until the browser tab is closed. Render it in the browser only. */
export function useDrafts(installationId: string): [Drafts, (changed: Partial<Drafts>) => void] {
  const key = `console:${installationId}`;
  const [kept, setKept] = useState(() => read(key));
  const change = (changed: Partial<Drafts>) => {
    const next = { ...kept, ...changed };
    setKept(next);
    write(key, next);
  };
  return [kept, change];
}

function read(key: string): Drafts {
  try {
    return drafts.parse(JSON.parse(sessionStorage.getItem(key) ?? ""));
  } catch {
    // Nothing was stored, or the browser doesn't allow it.
    return EMPTY;
  }
}

function write(key: string, kept: Drafts): void {
  const text = JSON.stringify(kept);
  try {
    if (text.length <= MOST_CHARACTERS) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  } catch {
    // The text is still on the page.
  }
}
