import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { openUrl } from "./location";

/** A link within the page. It's a real one, so it can be opened in another tab, and unsaved changes are asked about. */
export function PageLink({ href, ...props }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    openUrl(href);
  };
  return <a {...props} href={href} onClick={follow} />;
}
