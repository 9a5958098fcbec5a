import { SearchX } from "lucide-react";
import { EmptyState } from "@/components/ui/card";
import { LinkButton, TextLink } from "@/components/ui/links";
import { UserText } from "@/components/ui/values";
import type { Actor } from "@/lib/domain/platform/actor";

interface MissingProps {
  /** Who looks for the page: undefined for visitors. */
  actor?: Pick<Actor, "name" | "email" | "organization">;
}

/** The same for a page that is absent, belongs to somebody else, or needs another role. */
export function Missing({ actor }: MissingProps) {
  return (
    <div className="pt-8">
      <h1 className="sr-only">Page not found</h1>
      <EmptyState
        icon={SearchX}
        title="Page not found"
        action={<LinkButton href="/">Go to the home page</LinkButton>}
      >
        <p>The address may be wrong, the page may have been deleted, or your account may not have access.</p>
        {actor !== undefined && (
          <p className="mt-2 wrap-anywhere">
            You are signed in as <UserText translate="no">{actor.email}</UserText>
            {actor.organization === undefined ? (
              ". "
            ) : (
              <>
                , for <UserText translate="no">{actor.organization.name}</UserText>. To use another
                organization, switch in the menu at the top.{" "}
              </>
            )}
            <TextLink href="/sign-out">Use another account</TextLink>
          </p>
        )}
      </EmptyState>
    </div>
  );
}
