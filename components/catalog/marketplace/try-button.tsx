import { FlaskConical } from "lucide-react";
import { LinkButton } from "@/components/ui/links";
import type { ListingState } from "@/lib/contract/catalog/listing";

/** Of the launch page. `name`: `<org-name>/<app-name>`. */
export function trialPath(name: string): string {
  return `/launch/${name}?trial=1`;
}

interface TryButtonProps {
  name: string;
  state: ListingState;
  /** The newest version that everyone can launch. */
  verified: object | undefined;
}

/** Starts a trial. Strangers sign in first, as for a launch. Nothing for an app that not everyone can launch. */
export function TryButton({ name, state, verified }: TryButtonProps) {
  if (state !== "PUBLIC" || verified === undefined) return null;
  return (
    <LinkButton href={trialPath(name)}>
      <FlaskConical aria-hidden className="size-4" />
      Try it
    </LinkButton>
  );
}
