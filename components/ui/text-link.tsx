import Link from "next/link";
import type { ComponentProps } from "react";
import { LinkPending } from "./link-pending";

interface TextLinkProps extends ComponentProps<typeof Link> {
  /** Not within a text, such as the name of a row: needs no underline to stand out. */
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
