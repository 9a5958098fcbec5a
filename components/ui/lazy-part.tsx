"use client";

import { type ComponentType, type ReactNode, useEffect } from "react";
import { useStore } from "zustand";
import { Button } from "./button";
import { createLoader, LOAD_FAILURE } from "./load-code";
import { Notice } from "./notice";

type LazyPart<Props> = ComponentType<Props> & {
  /** Loads the code before it is needed. */
  preload: () => void;
};

/**
 * A component whose code is loaded when it is first shown, or by `preload`. If that fails, it says so and offers a retry.
 * @param loading shown until then: an element, or a function that draws one from the component's properties
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  loading: ReactNode | ((props: Props) => ReactNode) = null,
): LazyPart<Props> {
  const { store, start } = createLoader(load);
  function Part(props: Props) {
    const { Component, hasFailed } = useStore(store);
    useEffect(start, []);
    if (Component !== undefined) return <Component {...props} />;
    if (!hasFailed) return typeof loading === "function" ? loading(props) : loading;
    return (
      <Notice
        tone="warning"
        title={LOAD_FAILURE.title}
        actions={
          <Button size="small" onPress={start}>
            Try again
          </Button>
        }
      >
        {LOAD_FAILURE.text}
      </Notice>
    );
  }
  return Object.assign(Part, { preload: start });
}

/** Without `requestIdleCallback`, as in Safari. */
const QUIET_MS = 2_000;

/** Loads the parts one after the other while the page is idle, so that they open later without a network. */
export function useIdlePreload(parts: readonly Pick<LazyPart<never>, "preload">[]): void {
  useEffect(() => {
    const waiting = [...parts];
    let cancel = () => {};
    const loadNext = () => {
      const part = waiting.shift();
      if (part === undefined) return;
      part.preload();
      schedule();
    };
    const schedule = () => {
      if (typeof window.requestIdleCallback === "function") {
        const id = window.requestIdleCallback(loadNext);
        cancel = () => window.cancelIdleCallback(id);
      } else {
        const id = setTimeout(loadNext, QUIET_MS);
        cancel = () => clearTimeout(id);
      }
    };
    schedule();
    return () => cancel();
  }, [parts]);
}
