"use client";

import { ChevronRight, GripVertical, type LucideIcon, Search } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  Button,
  DropIndicator,
  type DropTarget,
  Input,
  MenuTrigger,
  Popover,
  type PopoverProps,
  SearchField,
  Separator,
  Text,
} from "react-aria-components";
import { Shortcut } from "./shortcut";

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  /** Names the menu if the trigger's name doesn't. */
  label?: string;
  placement?: PopoverProps["placement"];
  children: ReactNode;
}

/** The classes of what a menu opens in. */
export const POPOVER_STYLES =
  "max-w-[calc(100vw-16px)] min-w-[min(13rem,calc(100vw-16px))] arrive overflow-auto rounded-card border border-line bg-raised p-1 shadow-high";

/** A button's menu of actions. */
export function Menu({ trigger, label, placement = "bottom end", children }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover placement={placement} className={POPOVER_STYLES}>
        <AriaMenu aria-label={label} className="outline-none">
          {children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

const TONES = { normal: "text-ink", danger: "text-danger" } as const;

/** The classes of an item, in menus and in the command palette. */
export function menuItemStyles(tone: keyof typeof TONES = "normal"): string {
  return `flex min-h-8 cursor-pointer items-center gap-2.5 rounded-field px-2 py-1 text-small focus:bg-hover focus-visible:-outline-offset-2 disabled:cursor-not-allowed disabled:opacity-50 ${TONES[tone]}`;
}

interface MenuItemProps {
  id?: string;
  icon?: LucideIcon;
  /** What it does; a string, so that typing finds it. */
  children: string;
  /** A second line. */
  detail?: string;
  /** As `Shortcut` takes it. */
  keys?: string;
  tone?: keyof typeof TONES;
  isDisabled?: boolean;
  onAction?: () => void;
  href?: string;
}

export function MenuItem({ icon: Icon, children, detail, keys, tone, ...props }: MenuItemProps) {
  return (
    <AriaMenuItem {...props} textValue={children} className={menuItemStyles(tone)}>
      {Icon !== undefined && <Icon aria-hidden className="size-4 shrink-0 opacity-70" />}
      <span className="min-w-0 flex-1">
        <Text slot="label" className="block truncate">
          {children}
        </Text>
        {detail !== undefined && (
          <Text slot="description" className="block text-xs leading-4 text-ink-faint">
            {detail}
          </Text>
        )}
      </span>
      {keys !== undefined && <Shortcut keys={keys} />}
    </AriaMenuItem>
  );
}

export function MenuSeparator() {
  return <Separator className="my-1 h-px bg-line" />;
}

/** Filters the menu below it, within an Autocomplete. It has the focus first. */
export function MenuSearch({ label, placeholder = label }: { label: string; placeholder?: string }) {
  return (
    <SearchField aria-label={label} autoFocus className="relative shrink-0 border-b border-line">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-3.5 left-3.5 size-4 shrink-0 text-ink-faint"
      />
      <Input
        placeholder={placeholder}
        className="h-11 w-full rounded-t-card bg-transparent pr-3 pl-10 text-sm text-ink -outline-offset-2 placeholder:text-ink-faint [&::-webkit-search-cancel-button]:hidden"
      />
    </SearchField>
  );
}

interface MenuResultsProps {
  isBusy?: boolean;
  className?: string;
  children: ReactNode;
}

/** What a `MenuSearch` filters. The focus stays in the search field, so the keyboard must reach the scroll container separately. */
export function MenuResults({ isBusy, className = "", children }: MenuResultsProps) {
  return (
    <div
      tabIndex={0}
      role="group"
      aria-label="Results"
      aria-busy={isBusy}
      className={`min-h-0 flex-1 overflow-auto -outline-offset-2 ${className}`}
    >
      {children}
    </div>
  );
}

/**
 * Starts a drag by keyboard and screen reader, and within a `TouchOrder` by touch; a mouse can drag the whole row. React Aria names
 * the button, and lets the pointer through it.
 */
export function DragHandle({ className = "" }: { className?: string }) {
  return (
    <span data-drag-handle className={`flex shrink-0 touch-none ${className}`}>
      <Button
        slot="drag"
        className="flex h-7 w-6 items-center justify-center rounded-field text-ink-faint focus-visible:-outline-offset-2"
      >
        <GripVertical aria-hidden className="size-4" />
      </Button>
    </span>
  );
}

/** The line where the dragged row will go. It takes no space, so nothing jumps while dragging. */
export function dropLine(target: DropTarget) {
  return (
    <DropIndicator
      target={target}
      className={({ isDropTarget }) =>
        `relative z-10 h-0 outline-none ${
          isDropTarget
            ? "before:absolute before:-top-px before:right-0 before:left-0 before:h-0.5 before:rounded-full before:bg-accent-text after:absolute after:-top-1 after:left-0 after:size-2 after:rounded-full after:border-2 after:border-accent-text after:bg-surface"
            : ""
        }`
      }
    />
  );
}

/** Follows the pointer during a drag. */
export function DragPreview({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex h-10 w-60 items-center gap-2 rounded-card border border-accent-text bg-raised px-3 text-small font-medium text-ink shadow-high">
      {icon}
      <span className="truncate">{children}</span>
    </div>
  );
}

/** Expands a row of a tree, or keeps its space in a row without children. */
export function TreeChevron({ isBranch }: { isBranch: boolean }) {
  if (!isBranch) return <span className="size-6 shrink-0" />;
  return (
    <Button
      slot="chevron"
      className="flex size-6 shrink-0 cursor-pointer items-center justify-center rounded-sm text-ink-faint"
    >
      <ChevronRight aria-hidden className="size-4 transition-transform group-expanded:rotate-90" />
    </Button>
  );
}
