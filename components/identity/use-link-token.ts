"use client";

import { useSyncExternalStore } from "react";

/** The token of the link that led here, from the URL's fragment; empty if there is none. Undefined until the page is hydrated. */
export function useLinkToken(): string | undefined {
  return useSyncExternalStore(
    subscribe,
    () => location.hash.slice(1),
    () => undefined,
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

/** Of a token that was not copied in full. The platform would find no link with it either. */
export function isToken(token: string): boolean {
  return /^[\w-]{43}$/.test(token);
}
