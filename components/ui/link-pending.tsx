"use client";

import { useLinkStatus } from "next/link";
import { useEffect, useState } from "react";

/** Quicker pages than this come without a skeleton, which would only flicker. */
const PATIENCE_MS = 150;

/**
 * Stands inside a Link. While its page is on the way, `globals.css` shows the shell's skeleton instead of the old page.
 * A `loading.tsx` would do that too, but it answers 200 before the page can say 404 or send to sign in.
 */
export function LinkPending() {
  const { pending } = useLinkStatus();
  return pending ? <LateMark /> : null;
}

function LateMark() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return late ? <span hidden data-page-pending /> : null;
}
