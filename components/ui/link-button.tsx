import Link from "next/link";
import type { ComponentProps } from "react";
import { buttonStyles, type ButtonLook } from "./button-styles";

interface LinkButtonProps extends Omit<ComponentProps<typeof Link>, "className">, ButtonLook {
  className?: string;
}

/** A link that looks like a button: for going somewhere, never for doing something. */
export function LinkButton({ tone, size, className, ...props }: LinkButtonProps) {
  return <Link {...props} className={buttonStyles({ tone, size, className })} />;
}
