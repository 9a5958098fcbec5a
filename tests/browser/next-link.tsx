/** Stands in for next/link in component tests. */
import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { openUrl } from "./next-navigation";

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
  onClick,
  ...props
}: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    event.preventDefault();
    openUrl(props.href);
  };
  return <a {...props} onClick={follow} />;
}

export const useLinkStatus = () => ({ pending: false });
