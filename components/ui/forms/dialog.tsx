"use client";

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { Button } from "../button";

const WIDTHS = { small: "max-w-md", medium: "max-w-xl", large: "max-w-3xl", full: "max-w-6xl" } as const;

interface DialogProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Under the title. */
  description?: ReactNode;
  children: ReactNode;
  /** Buttons; they stay visible while the body scrolls. */
  footer?: ReactNode;
  width?: keyof typeof WIDTHS;
  /** Something is running, so it cannot be closed. */
  isBusy?: boolean;
}

/** A modal with a title, a body that scrolls, and a footer. Escape, the close button and a click outside close it. */
export function Dialog(props: DialogProps) {
  const { isOpen, onOpenChange, title, description, children, footer } = props;
  const { width = "medium", isBusy = false } = props;
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={!isBusy}
      isKeyboardDismissDisabled={isBusy}
      className="fixed inset-0 z-50 flex items-end justify-center bg-veil p-4 sm:items-center"
    >
      <Modal
        className={`flex max-h-full w-full arrive flex-col rounded-card border border-line bg-raised shadow-high ${WIDTHS[width]}`}
      >
        <AriaDialog className="flex min-h-0 flex-1 flex-col outline-none">
          <header className="flex items-start gap-4 px-6 pt-5 pb-3">
            <div className="min-w-0 flex-1">
              <Heading slot="title" className="text-base font-semibold break-words text-ink">
                {title}
              </Heading>
              {description !== undefined && <div className="text-small text-ink-faint">{description}</div>}
            </div>
            <Button
              tone="quiet"
              size="icon-small"
              className="-mr-2"
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
          {footer !== undefined && footer !== false && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-6 py-4">
              {footer}
            </footer>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
