import { Unplug } from "lucide-react";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { PageSkeleton } from "@/components/ui/skeleton";

export function DevSkeleton() {
  return (
    <main className="mx-auto w-full max-w-5xl px-4 py-10 sm:px-8">
      <PageSkeleton />
    </main>
  );
}

/** The page is open, but nothing has answered yet. */
export function NeverConnected() {
  return (
    <main className="mx-auto w-full max-w-xl px-4 py-16">
      <h1 className="sr-only">platform-app dev</h1>
      <EmptyState
        icon={Unplug}
        title="platform-app dev isn't running"
        action={
          <div className="w-72 max-w-full text-left">
            <CodeBlock label="command" code="platform-app dev" />
          </div>
        }
      >
        Start it in the folder of your app. This page connects by itself.
      </EmptyState>
    </main>
  );
}
