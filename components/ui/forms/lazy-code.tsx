"use client";

import { type ComponentType, type ReactNode, useEffect, useId, useRef } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { buttonStyles } from "../links";
import { Notice } from "../notice";

interface OpenProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

const FIRST_INPUT = ["pointermove", "pointerdown", "keydown", "focusin"] as const;

/** Returns a function that stops waiting. */
function atFirstInput(act: () => void): () => void {
  const heard = new AbortController();
  const hear = () => {
    heard.abort();
    act();
  };
  for (const type of FIRST_INPUT) document.addEventListener(type, hear, { signal: heard.signal });
  return () => heard.abort();
}

/**
 * A dialog whose code is loaded at the user's first input on the page: before it is needed, and early enough to open
 * later without a network. If loading fails, a plain dialog says so and offers a retry.
 */
export function lazyDialog<Props extends OpenProps>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const { store, start } = createLoader(load);
  return function LazyDialog(props: Props) {
    const { Component, hasFailed } = useStore(store);
    const { isOpen, onOpenChange } = props;
    useEffect(() => {
      if (isOpen) start();
    }, [isOpen]);
    useEffect(() => atFirstInput(start), []);
    if (Component !== undefined) return <Component {...props} />;
    if (!isOpen || !hasFailed) return null;
    return <LoadFailureDialog retry={start} close={() => onOpenChange(false)} />;
  };
}

/** The browser's own dialog with plain buttons, because the code of ours may be what is missing. */
function LoadFailureDialog({ retry, close }: { retry: () => void; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={close}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-card border border-line bg-raised p-6 shadow-high backdrop:bg-veil"
    >
      <h2 id={titleId} className="text-base font-semibold text-ink">
        {LOAD_FAILURE.title}
      </h2>
      <p className="mt-2 text-sm text-ink-soft">{LOAD_FAILURE.text}</p>
      <div className="mt-5 flex justify-end gap-2">
        <button type="button" className={buttonStyles({})} onClick={close}>
          Close
        </button>
        <button type="button" className={buttonStyles({ tone: "primary" })} onClick={retry}>
          Try again
        </button>
      </div>
    </dialog>
  );
}

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
          <button type="button" className={buttonStyles({ size: "small" })} onClick={start}>
            Try again
          </button>
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

/**
 * From the user's first input on, loads the parts one after the other while the page is idle, so that they open later
 * without a network. People who only look at the page never load them.
 */
export function usePreload(parts: readonly Pick<LazyPart<never>, "preload">[]): void {
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
    const stopWaiting = atFirstInput(schedule);
    return () => {
      stopWaiting();
      cancel();
    };
  }, [parts]);
}

interface LoadedCode<Props> {
  /** Undefined until it is loaded. */
  Component: ComponentType<Props> | undefined;
  hasFailed: boolean;
}

/**
 * Loads a component's code once. A load that failed is tried again at the next `start`, and when the network is back:
 * `React.lazy` would remember the failure until the page is reloaded.
 */
function createLoader<Props>(load: () => Promise<ComponentType<Props>>) {
  const store = createStore<LoadedCode<Props>>(() => ({ Component: undefined, hasFailed: false }));
  let isLoading = false;
  const start = (): void => {
    if (isLoading || store.getState().Component !== undefined) return;
    isLoading = true;
    store.setState({ hasFailed: false });
    load().then(
      (Component) => {
        isLoading = false;
        store.setState({ Component });
      },
      () => {
        isLoading = false;
        store.setState({ hasFailed: true });
        window.addEventListener("online", start, { once: true });
      },
    );
  };
  return { store, start };
}

const LOAD_FAILURE = {
  title: "This part of the page couldn't be loaded",
  text: "Check your connection. It loads as soon as you are online, or try again. Your changes are not affected.",
} as const;

/** For pages. Code that is loaded on demand itself imports the dialogs directly, so that it opens without a network. */
export const ConfirmDialog = lazyDialog(async () => (await import("./confirm-dialog")).ConfirmDialog);
export const Dialog = lazyDialog(async () => (await import("./dialog")).Dialog);
