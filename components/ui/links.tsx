import Link from "next/link";
import type { ComponentProps } from "react";
import { LinkPending } from "./link-pending";
import { showMarks } from "./values";

/**
 * A link whose page loads when it is followed, not before: a list has many links, and each page that the router loads ahead costs the
 * server as much as one that somebody reads.
 */
export function PageLink({ children, ...props }: ComponentProps<typeof Link>) {
  return (
    <Link prefetch={false} {...props}>
      {showMarks(children)}
    </Link>
  );
}

type LinkButtonProps = Omit<ComponentProps<typeof Link>, "className"> & ButtonStyle;

/** A link that looks like a button: for navigation, never for actions. */
export function LinkButton({ tone, size, className, children, ...props }: LinkButtonProps) {
  return (
    <PageLink {...props} className={buttonStyles({ tone, size, className })}>
      {children}
      <LinkPending />
    </PageLink>
  );
}

interface TextLinkProps extends ComponentProps<typeof Link> {
  /** Not within a text, such as the name of a row, so it needs no underline. */
  standalone?: boolean;
}

export function TextLink({ className = "", standalone = false, children, ...props }: TextLinkProps) {
  const line = standalone
    ? "hover:underline"
    : "underline decoration-accent-text/40 hover:decoration-accent-text";
  return (
    <PageLink {...props} className={`rounded-sm text-accent-text underline-offset-2 ${line} ${className}`}>
      {children}
      <LinkPending />
    </PageLink>
  );
}

const TONES = {
  primary: "button-primary",
  secondary: "button-secondary",
  quiet: "button-quiet",
  danger: "button-danger",
} as const;

const SIZES = {
  tiny: "button-tiny",
  small: "button-small",
  medium: "button-medium",
  "icon-tiny": "size-7",
  "icon-small": "size-8",
  icon: "size-9",
} as const;

export interface ButtonStyle {
  tone?: keyof typeof TONES;
  size?: keyof typeof SIZES;
  /** Added to the style, which it overrides. */
  className?: string;
}

/** The classes of buttons, and of links that look like buttons. On a phone with large text, a label that is wider than its place wraps. */
export function buttonStyles({ tone = "secondary", size = "medium", className = "" }: ButtonStyle): string {
  return `button ${TONES[tone]} ${SIZES[size]} ${className}`;
}

/** The classes of a filter that is chosen with one click: a link, or a button. */
export function chipStyles(isChosen: boolean): string {
  return `chip ${isChosen ? "chip-chosen" : "chip-other"}`;
}
