import { SearchX } from "lucide-react";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

/** What a page says of what is absent, foreign or not for this person: all three read the same. */
export function Missing() {
  return (
    <div className="pt-8">
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        icon={SearchX}
        title="There is nothing here"
        action={<LinkButton href="/">Go to the start</LinkButton>}
      >
        The address may be mistyped, what it named may be gone, or your organization and role may not see it.
      </EmptyState>
    </div>
  );
}
