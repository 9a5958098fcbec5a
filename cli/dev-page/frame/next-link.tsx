/** Replaces next/link in the page's bundle. What components of the product link to is on the platform, not here. */
import type { AnchorHTMLAttributes } from "react";

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  prefetch?: boolean;
  replace?: boolean;
  scroll?: boolean;
}

export default function Link({
  prefetch: _prefetch,
  replace: _replace,
  scroll: _scroll,
  ...props
}: LinkProps) {
  return <a {...props} />;
}

export const useLinkStatus = () => ({ pending: false });
