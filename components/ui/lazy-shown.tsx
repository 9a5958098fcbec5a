"use client";

import { type ComponentType, lazy } from "react";

/**
 * A component whose code only those pages load that show it. The server draws it, so nothing moves when its code arrives.
 * (`next/dynamic` does the same with 2 kB more on every page.) There is no `Suspense` around it: with one, the server would answer 200
 * before a page within it can answer 404 or redirect.
 */
export function lazyShown<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Shown = lazy(async () => ({ default: await load() }));
  return function LazyShown(props: Props) {
    return <Shown {...props} />;
  };
}
