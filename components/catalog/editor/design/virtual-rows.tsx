"use client";

import { type ReactNode, useMemo } from "react";
import { ListLayout, Virtualizer } from "react-aria-components";

/** Renders only the rows in view of the list in it. */
export function VirtualRows({ rowSize, children }: { rowSize: number; children: ReactNode }) {
  const options = useMemo(() => ({ rowSize }), [rowSize]);
  return (
    <Virtualizer layout={ListLayout} layoutOptions={options}>
      {children}
    </Virtualizer>
  );
}
