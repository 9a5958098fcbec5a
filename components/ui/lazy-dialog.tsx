"use client";

import { type ComponentType, useEffect, useEffectEvent, useState } from "react";

interface OpenProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

const FIRST_INPUT = ["pointermove", "pointerdown", "keydown", "focusin"] as const;

/**
 * A dialog whose code is loaded at the user's first input on the page: before it is needed, and early enough to open
 * later without a network. If loading fails, the dialog doesn't open.
 */
export function lazyDialog<Props extends OpenProps>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return function LazyDialog(props: Props) {
    const [Dialog, setDialog] = useState<ComponentType<Props>>();
    const start = useEffectEvent(() => {
      if (Dialog !== undefined) return;
      load().then(
        (loaded) => setDialog(() => loaded),
        () => props.onOpenChange(false),
      );
    });
    const { isOpen } = props;
    useEffect(() => {
      if (isOpen) start();
    }, [isOpen]);
    useEffect(() => {
      const heard = new AbortController();
      const preload = () => {
        heard.abort();
        start();
      };
      for (const type of FIRST_INPUT) document.addEventListener(type, preload, { signal: heard.signal });
      return () => heard.abort();
    }, []);
    return Dialog === undefined ? null : <Dialog {...props} />;
  };
}
