"use client";

import { useLayoutEffect, useRef } from "react";

/** A ref to what was given last: for handlers of rows that are drawn again only for a change of their own. */
export function useLatest<Value>(value: Value) {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
