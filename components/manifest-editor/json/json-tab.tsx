"use client";

import { lazy, Suspense } from "react";
import { Skeleton } from "@/components/ui/skeleton";

/** CodeMirror comes when its tab is opened. */
const JsonEditor = lazy(() => import("./json-editor"));

export function JsonTab() {
  return (
    <Suspense fallback={<Skeleton className="h-[max(22rem,calc(100dvh-15rem))] w-full rounded-card" />}>
      <JsonEditor />
    </Suspense>
  );
}
