"use client";

import { useEffect, useEffectEvent, useRef } from "react";

/** A ref for a field's frame. What a person typed before React took the page over is handed to `onChange`, not lost. */
export function useTypedBefore(value: string | undefined, onChange: ((value: string) => void) | undefined) {
  const frame = useRef<HTMLDivElement>(null);
  const takeOver = useEffectEvent(() => {
    const typed = frame.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>(
      "input, textarea",
    )?.value;
    if (value !== undefined && typed !== undefined && typed !== value) onChange?.(typed);
  });
  useEffect(() => takeOver(), []);
  return frame;
}
