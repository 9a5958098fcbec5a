/** Stands in for next/dynamic in component tests. */
import { lazy, Suspense, type ComponentType, type ReactNode } from "react";

export default function dynamic<Props extends object>(
  load: () => Promise<ComponentType<Props> | { default: ComponentType<Props> }>,
  { loading: Loading }: { loading?: () => ReactNode; ssr?: boolean } = {},
): ComponentType<Props> {
  const Loaded = lazy(async () => {
    const loaded = await load();
    return "default" in loaded ? loaded : { default: loaded };
  });
  return function Dynamic(props: Props) {
    return (
      <Suspense fallback={Loading === undefined ? null : <Loading />}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}
