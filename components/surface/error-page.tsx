"use client";

import { CircleAlert } from "lucide-react";
import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { EmptyState } from "@/components/ui/card";
import { buttonStyles } from "@/components/ui/links";

interface ErrorPageProps {
  /** `digest` finds the error in the server's log. */
  error: Error & { digest?: string };
  reset: () => void;
}

/** Every page loads it in case of an error, so its button is a plain one. */
export function ErrorPage({ error: { digest }, reset }: ErrorPageProps) {
  const router = useRouter();
  const retry = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
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
