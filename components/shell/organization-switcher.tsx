"use client";

import { ChevronsUpDown } from "lucide-react";
import { useRef, useState } from "react";
import { lazyDialog } from "@/components/ui/lazy-dialog";
import type { Actor } from "@/lib/domain/actor";

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
