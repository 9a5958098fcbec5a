"use client";

import { Menu } from "lucide-react";
import dynamic from "next/dynamic";
import { useState, type ReactNode } from "react";
import { buttonStyles } from "@/components/ui/button-styles";

const PhoneSidebar = dynamic(() => import("./phone-sidebar").then((module) => module.PhoneSidebar));

interface PhoneMenuProps {
  allowed: string[];
  home: string;
  footer: ReactNode;
}

/** The button that opens the sidebar on a phone. The sidebar is loaded when it is first opened. */
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
      {open && <PhoneSidebar {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
