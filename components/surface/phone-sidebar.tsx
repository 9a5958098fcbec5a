"use client";

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { Navigation } from "./navigation";
import { Brand } from "./open-frame";

interface PhoneSidebarProps {
  allowed: string[];
  footer: ReactNode;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Covers the page, and closes when a link leads to another one. */
export function PhoneSidebar({ allowed, footer, isOpen, onOpenChange }: PhoneSidebarProps) {
  const close = () => onOpenChange(false);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
      className="fixed inset-0 z-40 bg-veil lg:hidden"
    >
      <Modal className="h-full w-72 max-w-[85vw] arrive border-r border-line bg-surface shadow-high">
        <Dialog
          aria-label="Menu"
          className="flex h-full scroll-py-4 flex-col gap-6 overflow-y-auto p-4 outline-none"
        >
          <div className="flex items-center justify-between pl-2">
            <Brand href="/home" />
            <Button tone="quiet" size="icon" aria-label="Close menu" onPress={close}>
              <X aria-hidden className="size-5" />
            </Button>
          </div>
          <Navigation allowed={allowed} onNavigate={close} />
          <div className="mt-auto">{footer}</div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
