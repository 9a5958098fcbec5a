"use client";

import { Bell as BellIcon } from "lucide-react";
import { useRef, useState } from "react";
import { lazyDialog } from "@/components/ui/forms/lazy-code";
import { buttonStyles } from "@/components/ui/links";
import { useNewest } from "./use-notifications";

const BellPopover = lazyDialog(async () => (await import("./bell-popover")).BellPopover);

/** How many notifications are unread. Opens the newest ones. */
export function Bell() {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { data } = useNewest();
  const unread = data?.unread ?? 0;
  const shown = unread > 99 ? "99+" : String(unread);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={unread === 0 ? "Notifications" : `Notifications, ${shown} unread`}
        aria-haspopup="dialog"
        aria-expanded={open}
        className={buttonStyles({ tone: "quiet", size: "icon", className: "relative" })}
        onClick={() => setOpen(!open)}
      >
        <BellIcon aria-hidden className="size-4" />
        {unread > 0 && (
          <span
            aria-hidden
            className="absolute -top-0.5 left-5 flex h-4 min-w-4 items-center justify-center rounded-full bg-accent px-1 text-tiny leading-none font-semibold text-accent-ink tabular-nums"
          >
            {shown}
          </span>
        )}
      </button>
      <BellPopover trigger={button} isOpen={open} onOpenChange={setOpen} />
    </>
  );
}
