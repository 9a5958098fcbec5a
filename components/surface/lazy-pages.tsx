"use client";

/** Any page could show these. */
import { lazyShown } from "@/components/ui/lazy-shown";

/** The shell on pages that visitors open too. */
export const LazyShell = lazyShown(async () => (await import("./app-shell")).SignedInShell);

export const LazyMissing = lazyShown(async () => (await import("./missing")).Missing);
