import Link from "next/link";
import type { ComponentProps } from "react";
import { buttonStyles, type ButtonStyle } from "./button-styles";
import { LinkPending } from "./link-pending";

type LinkButtonProps = Omit<ComponentProps<typeof Link>, "className"> & ButtonStyle;

/** A link that looks like a button: for navigation, never for actions. */
export function LinkButton({ tone, size, className, children, ...props }: LinkButtonProps) {
  return (
    <Link {...props} className={buttonStyles({ tone, size, className })}>
      {children}
      <LinkPending />
    </Link>
  );
}
