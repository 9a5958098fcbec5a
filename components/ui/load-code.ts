import type { ComponentType } from "react";
import { createStore } from "zustand/vanilla";

interface LoadedCode<Props> {
  /** Undefined until it is loaded. */
  Component: ComponentType<Props> | undefined;
  hasFailed: boolean;
}

/**
 * Loads a component's code once. A load that failed is tried again at the next `start`, and when the network is back:
 * `React.lazy` would remember the failure until the page is reloaded.
 */
export function createLoader<Props>(load: () => Promise<ComponentType<Props>>) {
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

export const LOAD_FAILURE = {
  title: "This part of the page couldn't be loaded",
  text: "Check your connection. It loads as soon as you are online, or try again. Your changes are not affected.",
} as const;
