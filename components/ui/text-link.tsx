import Link from "next/link";
import type { ComponentProps } from "react";
import { LinkPending } from "./link-pending";

interface TextLinkProps extends ComponentProps<typeof Link> {
  /** On a line of its own, such as a row's name: no underline is needed to tell it from the text around it. */
  standalone?: boolean;
}

export function TextLink({ className = "", standalone = false, children, ...props }: TextLinkProps) {
  const line = standalone
    ? "hover:underline"
    : "underline decoration-accent-text/40 hover:decoration-accent-text";
  return (
    <Link {...props} className={`rounded-sm text-accent-text underline-offset-2 ${line} ${className}`}>
      {children}
      <LinkPending />
    </Link>
  );
}
