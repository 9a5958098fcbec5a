"use client";

import { CircleAlert } from "lucide-react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** `digest` finds the error in the server's log. */
export function Broken({ digest, retry }: { digest?: string; retry: () => void }) {
  return (
    <div className="pt-8" role="alert">
      <h1 className="sr-only">This page broke</h1>
      <EmptyState
        icon={CircleAlert}
        title="This page broke"
        action={
          <Button tone="primary" onPress={retry}>
            Try again
          </Button>
        }
      >
        <p>This is our fault. Nothing of yours was lost. Try again in a moment.</p>
        {digest !== undefined && (
          <p className="mt-2">
            If it stays, report it with the number <code className="font-mono">{digest}</code>.
          </p>
        )}
      </EmptyState>
    </div>
  );
}
