"use client";

import type { ReactNode } from "react";
import { Collection, Dialog, Header, Menu, MenuSection, Modal, ModalOverlay } from "react-aria-components";
import { MenuResults } from "./collections";

interface PaletteDialogProps {
  label: string;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  /** An `Autocomplete` with a `MenuSearch` and a `PaletteMenu`. Mounted only while it is open. */
  children: ReactNode;
}

/** A search over what can be done or opened, above the page. */
export function PaletteDialog({ label, isOpen, onOpenChange, children }: PaletteDialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
      className="fixed inset-0 z-50 flex items-start justify-center bg-veil p-4 pt-[10vh]"
    >
      <Modal className="flex max-h-[70vh] w-full max-w-xl arrive flex-col overflow-hidden rounded-card border border-line bg-raised shadow-high">
        <Dialog aria-label={label} className="flex min-h-0 flex-1 flex-col outline-none">
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface PaletteMenuProps<Item extends { id: string }> {
  label: string;
  /** Each with at least one item. */
  sections: readonly { title: string; items: readonly Item[] }[];
  onAction: (item: Item) => void;
  /** Shown if nothing was found. */
  empty: ReactNode;
  /** A `MenuItem` with the item's id. */
  children: (item: Item) => ReactNode;
}

export function PaletteMenu<Item extends { id: string }>(props: PaletteMenuProps<Item>) {
  const { label, sections, onAction, empty, children } = props;
  const act = (key: string) => {
    const item = sections.flatMap(({ items }) => items).find(({ id }) => id === key);
    if (item !== undefined) onAction(item);
  };
  return (
    <MenuResults>
      <Menu
        aria-label={label}
        items={sections}
        onAction={(key) => act(String(key))}
        className="p-1 outline-none"
        renderEmptyState={() => empty}
      >
        {({ title, items }) => (
          <MenuSection id={title}>
            <Header className="px-2 pt-2 pb-1 text-xs font-medium text-ink-faint">{title}</Header>
            <Collection items={items}>{children}</Collection>
          </MenuSection>
        )}
      </Menu>
    </MenuResults>
  );
}
