"use client";

import * as z from "zod";
import { useSessionState } from "@/lib/client/session-state";

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

/** The choices and payloads of a console, kept until the browser tab is closed. Render it in the browser only. */
export function useDrafts(installationId: string): [Drafts, (changed: Partial<Drafts>) => void] {
  return useSessionState(`console:${installationId}`, drafts, EMPTY);
}
