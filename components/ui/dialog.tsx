"use client";

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { tv } from "tailwind-variants";
import { Button } from "./button";

const modalStyles = tv({
  base: "flex max-h-full w-full arrive flex-col rounded-card border border-line bg-raised shadow-high",
  variants: {
    width: { small: "max-w-md", medium: "max-w-xl", large: "max-w-3xl", full: "max-w-6xl" },
    place: { middle: "", top: "sm:mb-auto sm:mt-[10vh] sm:max-h-[75vh]" },
  },
});

interface DialogProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Under the title. */
  description?: ReactNode;
  children: ReactNode;
  /** Buttons; they stay in sight while the body scrolls. */
  footer?: ReactNode;
  width?: "small" | "medium" | "large" | "full";
  place?: "middle" | "top";
  /** While something runs that must be waited for. */
  isBusy?: boolean;
}

/** A modal with a title, a body that scrolls, and a footer. Escape, the cross and a press beside it close it. */
export function Dialog(props: DialogProps) {
  const { isOpen, onOpenChange, title, description, children, footer, isBusy = false } = props;
  const { width = "medium", place = "middle" } = props;
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={!isBusy}
      isKeyboardDismissDisabled={isBusy}
      className="fixed inset-0 z-50 flex items-end justify-center bg-veil p-4 sm:items-center"
    >
      <Modal className={modalStyles({ width, place })}>
        <AriaDialog className="flex min-h-0 flex-1 flex-col outline-none">
          <header className="flex items-start gap-4 px-6 pt-5 pb-3">
            <div className="min-w-0 flex-1">
              <Heading slot="title" className="text-base font-semibold break-words text-ink">
                {title}
              </Heading>
              {description !== undefined && <div className="text-[13px] text-ink-faint">{description}</div>}
            </div>
            <Button
              tone="quiet"
              size="icon"
              className="-mr-2 size-8"
              aria-label="Close"
              isDisabled={isBusy}
              onPress={() => onOpenChange(false)}
            >
              <X aria-hidden className="size-4" />
            </Button>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-6 pt-1 pb-6 text-sm text-ink-soft">
            {children}
          </div>
          {footer !== undefined && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-6 py-4">
              {footer}
            </footer>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
