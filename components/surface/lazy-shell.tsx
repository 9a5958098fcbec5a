"use client";

import dynamic from "next/dynamic";

/**
 * The shell on pages that visitors open too. Only a page that shows it loads it: a layout that imported it would send its code
 * to everyone. The server draws it, so nothing moves when it arrives.
 */
export const LazyShell = dynamic(async () => (await import("./app-shell")).SignedInShell);
