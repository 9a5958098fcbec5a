"use client";

import { usePathname, useRouter } from "next/navigation";
import { useEffect } from "react";
import { ORGANIZATION_HEADER } from "@/lib/contract/organization-header";

/**
 * The frame around the pages stays when a link leads to the next page. If the session's organization was switched in another tab
 * meanwhile, the frame is drawn again, so that it does not name one organization around a page of another one.
 */
export function FollowOrganization({ shown }: { shown: string }) {
  const pathname = usePathname();
  const router = useRouter();
  useEffect(() => {
    const meta = document.querySelector(`meta[name="${ORGANIZATION_HEADER}"]`);
    if (meta !== null && meta.getAttribute("content") !== shown) router.refresh();
  }, [pathname, router, shown]);
  return null;
}
