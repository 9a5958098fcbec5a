"use client";

import { SearchX } from "lucide-react";
import { usePathname } from "next/navigation";
import { useRef, useState } from "react";
import { EmptyState } from "@/components/ui/card";
import { lazyDialog, lazyPart } from "@/components/ui/forms/lazy-code";
import { buttonStyles, LinkButton, TextLink } from "@/components/ui/links";
import { UserText } from "@/components/ui/values";
import type { Actor } from "@/lib/domain/platform/actor";
import type { NeededRoleProps } from "./needed-role";

const OrganizationMenu = lazyDialog(async () => (await import("./organization-menu")).OrganizationMenu);

const WHY = (
  <p>The address may be wrong, the page may have been deleted, or your account may not have access.</p>
);

interface MissingProps {
  /** Who looks for the page: undefined for visitors. */
  actor?: Pick<Actor, "name" | "email" | "organization" | "moderator">;
}

/** The same for a page that is absent, belongs to somebody else, or needs another role. */
export function Missing({ actor }: MissingProps) {
  const path = usePathname();
  return (
    <div className="pt-8">
      <h1 className="sr-only">Page not found</h1>
      <EmptyState
        icon={SearchX}
        title="Page not found"
        action={
          <>
            {actor?.organization !== undefined && <SwitchButton currentId={actor.organization.id} />}
            <LinkButton href="/">Go to the home page</LinkButton>
          </>
        }
      >
        {actor === undefined ? (
          WHY
        ) : (
          <NeededRole path={path} actor={actor}>
            {WHY}
          </NeededRole>
        )}
        {actor !== undefined && (
          <p className="mt-2 wrap-anywhere">
            You are signed in as <UserText translate="no">{actor.email}</UserText>
            {actor.organization === undefined ? (
              ". "
            ) : (
              <>
                , for <UserText translate="no">{actor.organization.name}</UserText>. The page may belong to
                another of your organizations.{" "}
              </>
            )}
            <TextLink href={`/sign-out?${new URLSearchParams({ next: path })}`}>Use another account</TextLink>
          </p>
        )}
      </EmptyState>
    </div>
  );
}

/** Knows the permissions of all pages, which no other page needs. */
const NeededRole = lazyPart<NeededRoleProps>(
  async () => (await import("./needed-role")).NeededRole,
  ({ children }) => children,
);

/** Switches to another organization and opens the page that was asked for again. */
function SwitchButton({ currentId }: { currentId: string }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        type="button"
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className={buttonStyles({})}
      >
        Switch organization
      </button>
      <OrganizationMenu
        trigger={button}
        currentId={currentId}
        isOpen={isOpen}
        onOpenChange={setOpen}
        findNext={() => location.pathname + location.search + location.hash}
      />
    </>
  );
}
