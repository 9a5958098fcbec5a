"use client";

import { ChevronsUpDown, LogOut, Menu } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { lazyDialog } from "@/components/ui/forms/lazy-code";
import { buttonStyles } from "@/components/ui/links";
import { leaveFor } from "@/lib/client/navigation";
import { shownOrganization } from "@/lib/client/shown-organization";
import type { Actor } from "@/lib/domain/platform/actor";

const OrganizationMenu = lazyDialog(async () => (await import("./organization-menu")).OrganizationMenu);

interface SwitcherProps {
  actor: Pick<Actor, "organization" | "moderator">;
}

/** The organization in which the user works. Opens the others. */
export function OrganizationSwitcher({ actor: { organization: current, moderator } }: SwitcherProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const name = current?.name ?? (moderator ? "Platform moderation" : "No organization");
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={`Organization: ${name}. Switch`}
        onClick={() => setOpen(!open)}
        className="flex h-10 w-full cursor-pointer items-center gap-2.5 rounded-field border border-line px-2.5 text-left hover:bg-hover"
      >
        <span
          aria-hidden
          className="flex size-6 shrink-0 items-center justify-center rounded-sm bg-accent-soft text-xs font-semibold text-accent-text"
        >
          {Array.from(name)[0]?.toUpperCase()}
        </span>
        <span className="min-w-0 flex-1 truncate text-sm font-medium text-ink">
          <bdi>{name}</bdi>
        </span>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-faint" />
      </button>
      <OrganizationMenu trigger={button} currentId={current?.id} isOpen={open} onOpenChange={setOpen} />
    </>
  );
}

/**
 * The frame around the pages stays when a link leads to the next page. If the session's organization was switched in another tab
 * meanwhile, the frame is drawn again, so that it does not name one organization around a page of another one. What the page had
 * fetched belongs to the organization before: the next drawing looks it up for the new one.
 */
export function FollowOrganization({ shown }: { shown: string }) {
  const pathname = usePathname();
  const router = useRouter();
  const before = useRef(shown);
  useEffect(() => {
    const now = shownOrganization() ?? shown;
    if (now !== shown || before.current !== shown) router.refresh();
    before.current = shown;
  }, [pathname, router, shown]);
  return null;
}

/** One press signs out. Without scripts, and if it fails, it leads to the page that asks and says what went wrong. */
export function SignOutButton() {
  const [isPending, setPending] = useState(false);
  const leave = async () => {
    setPending(true);
    // Every page has this button, so what it needs is loaded when it is pressed.
    await import("@/components/accounts/sign-in/sign-out")
      .then(({ endSession }) => endSession())
      .then(
        () => leaveFor("/"),
        () => leaveFor("/sign-out"),
      );
  };
  return (
    <form
      action="/sign-out"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) void leave();
      }}
    >
      <button
        type="submit"
        aria-disabled={isPending}
        className={buttonStyles({ tone: "quiet", size: "small" })}
      >
        <LogOut aria-hidden className="size-4" />
        Sign out
      </button>
    </form>
  );
}

const PhoneSidebar = lazyDialog(async () => (await import("./phone-sidebar")).PhoneSidebar);

interface PhoneMenuProps {
  allowed: string[];
  footer: ReactNode;
}

/** The button that opens the sidebar on a phone. */
export function PhoneMenu(props: PhoneMenuProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label="Open menu"
        aria-haspopup="dialog"
        className={buttonStyles({ tone: "quiet", size: "icon" })}
        onClick={() => setOpen(true)}
      >
        <Menu aria-hidden className="size-5" />
      </button>
      <PhoneSidebar {...props} isOpen={open} onOpenChange={setOpen} />
    </>
  );
}
