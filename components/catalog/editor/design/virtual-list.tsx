"use client";

import type { ReactNode } from "react";
import { lazyPart } from "@/components/ui/forms/lazy-code";

interface VirtualRowsProps {
  rowSize: number;
  /** Of the list, while its code is loaded. */
  height: number;
  children: ReactNode;
}

/** Few manifests have such long lists. */
export const VirtualRows = lazyPart<VirtualRowsProps>(
  async () => (await import("./virtual-rows")).VirtualRows,
  ({ height }) => <div style={{ height }} />,
);

/** Longer lists are virtualized; otherwise a hundred rows would slow down each key press and drag. */
export const MAX_RENDERED_ROWS = 30;

/** A list of rows of the same height. */
export function VirtualList({ count, ...rows }: VirtualRowsProps & { count: number }) {
  return count > MAX_RENDERED_ROWS ? <VirtualRows {...rows} /> : rows.children;
}
