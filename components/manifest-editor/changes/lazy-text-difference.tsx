"use client";

import { lazyPart } from "@/components/ui/lazy-part";
import { Skeleton } from "@/components/ui/skeleton";

/** CodeMirror's merge view, which only the Changes tab and the notices of other drafts need. */
export const TextDifference = lazyPart(
  async () => (await import("./text-difference")).TextDifference,
  <Skeleton className="h-64" />,
);
