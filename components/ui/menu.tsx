"use client";

import type { LucideIcon } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuTrigger,
  Popover,
  Separator,
  Text,
  type PopoverProps,
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
  "max-w-[calc(100vw-16px)] min-w-52 arrive overflow-auto rounded-card border border-line bg-raised p-1 shadow-high";

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
  return `flex min-h-8 cursor-pointer items-center gap-2.5 rounded-field px-2 py-1 text-[13px] focus:bg-hover focus-visible:-outline-offset-2 disabled:cursor-not-allowed disabled:opacity-50 ${TONES[tone]}`;
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
