"use client";

import { type ComponentType, lazy, Suspense } from "react";

/**
 * A component whose code only those pages load that show it. The server draws it, so nothing moves when its code arrives.
 * (`next/dynamic` does the same with 2 kB more on every page.)
 */
export function lazyShown<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Shown = lazy(async () => ({ default: await load() }));
  return function LazyShown(props: Props) {
    return (
      <Suspense>
        <Shown {...props} />
      </Suspense>
    );
  };
}
