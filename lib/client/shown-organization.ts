"use client";

/**
 * The organization whose data this page shows. The session may work in another one by now, because its user switched in another tab, so
 * every request that a page sends names this one.
 */
import { useSyncExternalStore } from "react";
import { ORGANIZATION_HEADER, ORGANIZATION_PARAMETER } from "@/lib/contract/platform/headers";

/** Empty if its user has none; undefined for a page that doesn't say, and on the server. */
export function shownOrganization(): string | undefined {
  const meta = globalThis.document?.querySelector(`meta[name="${ORGANIZATION_HEADER}"]`);
  return meta?.getAttribute("content") ?? undefined;
}

/** For addresses that are drawn with the page, such as those of downloads. */
export function useShownOrganization(): string | undefined {
  return useSyncExternalStore(neverChanges, shownOrganization, () => undefined);
}

function neverChanges(): () => void {
  return () => undefined;
}

/** The query of a request that sends no header: of a link, or of a stream of events. */
export function nameOrganization(query: string, organizationId: string | undefined): string {
  if (!organizationId) return query;
  const named = new URLSearchParams(query);
  named.set(ORGANIZATION_PARAMETER, organizationId);
  return named.toString();
}
