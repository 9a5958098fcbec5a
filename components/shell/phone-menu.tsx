"use client";

import { Menu } from "lucide-react";
import { useState, type ReactNode } from "react";
import { buttonStyles } from "@/components/ui/button-styles";
import { lazyDialog } from "@/components/ui/lazy-dialog";

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
