"use client";

import { lazy, Suspense } from "react";
import type { ErrorPageProps } from "./error-page";

const ErrorPage = lazy(() =>
  import("./error-page").then(
    (loaded) => ({ default: loaded.ErrorPage }),
    () => ({ default: PlainErrorPage }),
  ),
);

/** What the error page needs is loaded when a page has failed. */
export function LazyErrorPage(props: ErrorPageProps) {
  return (
    <Suspense>
      <ErrorPage {...props} />
    </Suspense>
  );
}

/** If even the code of the error page can't be loaded, as without a network. */
function PlainErrorPage() {
  return (
    <div className="pt-8" role="alert">
      <h1 className="text-lead font-semibold text-ink">Something went wrong</h1>
      <p className="my-4">
        This page stopped, and the rest of it can&apos;t be loaded. Check your connection. Everything that you
        saved is safe.
      </p>
      <button type="button" className="underline" onClick={() => location.reload()}>
        Reload the page
      </button>
    </div>
  );
}
