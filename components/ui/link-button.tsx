import Link from "next/link";
import type { ComponentProps } from "react";
import { buttonStyles, type ButtonLook } from "./button-styles";
import { LinkPending } from "./link-pending";

interface LinkButtonProps extends Omit<ComponentProps<typeof Link>, "className">, ButtonLook {
  className?: string;
}

/** A link that looks like a button: for going somewhere, never for doing something. */
export function LinkButton({ tone, size, className, children, ...props }: LinkButtonProps) {
  return (
    <Link {...props} className={buttonStyles({ tone, size, className })}>
      {children}
      <LinkPending />
    </Link>
  );
}
