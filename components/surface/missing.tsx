import { SearchX } from "lucide-react";
import { EmptyState } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";

/** The same for a page that is absent, belongs to somebody else, or needs another role. */
export function Missing() {
  return (
    <div className="pt-8">
      <h1 className="sr-only">Page not found</h1>
      <EmptyState
        icon={SearchX}
        title="Page not found"
        action={<LinkButton href="/">Go to the home page</LinkButton>}
      >
        The address may be wrong, the page may have been deleted, or your account may not have access.
      </EmptyState>
    </div>
  );
}
