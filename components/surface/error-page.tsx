"use client";

import { CircleAlert } from "lucide-react";
import { useRouter } from "next/navigation";
import { startTransition, useEffect, useEffectEvent } from "react";
import { EmptyState } from "@/components/ui/card";
import { buttonStyles } from "@/components/ui/links";
import { AVAILABILITY, canLoad } from "@/lib/client/availability";
import { DATABASE_AWAY } from "@/lib/contract/platform/availability";

export interface ErrorPageProps {
  /** `digest` finds the error in the server's log. */
  error: Error & { digest?: string };
  reset: () => void;
}

/** For pages that threw. Pages show it by `LazyErrorPage`. */
export function ErrorPage({ error: { digest }, reset }: ErrorPageProps) {
  const router = useRouter();
  const retry = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  if (digest === DATABASE_AWAY) return <DatabaseAway onBack={retry} />;
  return (
    <div className="pt-8" role="alert">
      <h1 className="sr-only">Something went wrong</h1>
      <EmptyState
        icon={CircleAlert}
        title="Something went wrong"
        action={
          <button type="button" className={buttonStyles({ tone: "primary" })} onClick={retry}>
            Try again
          </button>
        }
      >
        <p>
          This page stopped because of an error on our side. Everything that you saved is safe. Entries that
          you hadn&apos;t saved may be gone.
        </p>
        {digest !== undefined && (
          <p className="mt-2">
            If it keeps happening, report error{" "}
            <code translate="no" className="font-mono">
              {digest}
            </code>
            .
          </p>
        )}
      </EmptyState>
    </div>
  );
}

const LOOK_MS = 3_000;

/** Nothing is wrong with the page. It loads when the database is back. */
function DatabaseAway({ onBack }: { onBack: () => void }) {
  const load = useEffectEvent(onBack);
  useEffect(() => {
    const ended = new AbortController();
    const look = () =>
      AVAILABILITY.queryFn(ended).then(
        (away) => {
          if (!ended.signal.aborted && canLoad(away)) load();
        },
        // The reader left the page.
        () => undefined,
      );
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, []);
  return (
    <div className="pt-8" role="alert">
      <h1 className="sr-only">The platform&apos;s database is unavailable</h1>
      <EmptyState icon={CircleAlert} title="The platform's database is unavailable">
        <p>
          This page can&apos;t be loaded right now. Everything that you saved is safe. The page appears
          automatically when the database is back.
        </p>
      </EmptyState>
    </div>
  );
}
