"use client";

import { Skeleton } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/forms/lazy-code";

/** CodeMirror's merge view, which only the Changes tab and the notices of other drafts need. */
export const TextDifference = lazyPart(
  async () => (await import("./text-difference")).TextDifference,
  <Skeleton className="h-64" />,
);
