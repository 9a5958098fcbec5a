"use client";

import { useLinkStatus } from "next/link";
import { useEffect, useState } from "react";

/** Faster pages show no skeleton, which would only flicker. */
const SKELETON_DELAY_MS = 150;

/**
 * Goes inside a Link. While its page loads, `globals.css` shows the shell's skeleton instead of the old page. A
 * `loading.tsx` would do that too, but it responds with 200 before the page can respond with 404 or redirect.
 */
export function LinkPending() {
  const { pending } = useLinkStatus();
  return pending ? <LateMark /> : null;
}

function LateMark() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return late ? <span hidden data-page-pending /> : null;
}
