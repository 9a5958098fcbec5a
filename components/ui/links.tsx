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
  primary: "border-transparent bg-accent text-accent-ink shadow-low hover:bg-accent-hover",
  secondary: "border-line bg-surface text-ink shadow-low hover:bg-hover",
  quiet: "border-transparent bg-transparent text-ink-soft hover:bg-hover hover:text-ink",
  danger: "border-transparent bg-danger text-danger-ink shadow-low hover:bg-danger-hover",
} as const;

const SIZES = {
  tiny: "min-h-7 px-2 py-0.5 text-small",
  small: "min-h-8 px-3 py-0.5 text-small",
  medium: "min-h-9 px-4 py-1 text-sm",
  "icon-tiny": "size-7",
  "icon-small": "size-8",
  icon: "size-9",
} as const;

export interface ButtonStyle {
  tone?: keyof typeof TONES;
  size?: keyof typeof SIZES;
  /** Added to the style. Which of two classes for the same property applies would be a matter of chance. */
  className?: string;
}

/** The classes of buttons, and of links that look like buttons. On a phone with large text, a label that is wider than its place wraps. */
export function buttonStyles({ tone = "secondary", size = "medium", className = "" }: ButtonStyle): string {
  return `button ${TONES[tone]} ${SIZES[size]} ${className}`;
}

/** The classes of a filter that is chosen with one click: a link, or a button. */
export function chipStyles(isChosen: boolean): string {
  const look = isChosen
    ? "border-transparent bg-accent-soft font-medium text-accent-text"
    : "border-line text-ink-soft hover:bg-hover hover:text-ink";
  return `inline-flex h-8 shrink-0 cursor-pointer items-center rounded-full border px-3 text-small whitespace-nowrap transition-colors ${look}`;
}
