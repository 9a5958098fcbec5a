"use client";

import { Menu, X } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { Brand } from "./brand";
import { Navigation } from "./navigation";

/** The sidebar of a phone: opens over the page, closes on the way to another one. */
export function PhoneMenu({ allowed, home, footer }: { allowed: string[]; home: string; footer: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button tone="quiet" size="icon" aria-label="Open the menu" onPress={() => setOpen(true)}>
        <Menu aria-hidden className="size-5" />
      </Button>
      <ModalOverlay
        isOpen={open}
        onOpenChange={setOpen}
        isDismissable
        className="fixed inset-0 z-40 bg-veil lg:hidden"
      >
        <Modal className="h-full w-72 max-w-[85vw] arrive border-r border-line bg-surface shadow-high">
          <Dialog aria-label="Menu" className="flex h-full flex-col gap-6 overflow-y-auto p-4 outline-none">
            <div className="flex items-center justify-between pl-2">
              <Brand href={home} />
              <Button tone="quiet" size="icon" aria-label="Close the menu" onPress={() => setOpen(false)}>
                <X aria-hidden className="size-5" />
              </Button>
            </div>
            <Navigation allowed={allowed} onNavigate={() => setOpen(false)} />
            <div className="mt-auto">{footer}</div>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </>
  );
}
