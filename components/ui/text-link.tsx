import Link from "next/link";
import type { ComponentProps } from "react";

export function TextLink({ className = "", ...props }: ComponentProps<typeof Link>) {
  return <Link {...props} className={`rounded-sm text-accent-text underline-offset-2 hover:underline ${className}`} />;
}
