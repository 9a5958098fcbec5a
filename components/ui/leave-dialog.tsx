"use client";

import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { ConfirmDialog } from "./confirm-dialog";
import { useRouter } from "next/navigation";

/** Asks before what was typed is lost. `lost`: what that is, in words. */
export function LeaveDialog({ isDirty, lost }: { isDirty: boolean; lost: string }) {
  const [leaving, setLeaving] = useState(false);
  const { isAsking, stay, go } = useLeaveGuard(isDirty && !leaving);
  useEffect(() => {
    if (leaving) go();
  }, [leaving, go]);
  return (
    <ConfirmDialog
      isOpen={isAsking && !leaving}
      onOpenChange={stay}
      title="Leave without saving?"
      confirmText="Leave"
      onConfirm={() => setLeaving(true)}
    >
      This is not saved, and is lost if you leave: {lost}.
    </ConfirmDialog>
  );
}

type Wanted = { href: string } | { entry: string };

/**
 * While `isDirty`, links of this site and the browser's Back ask first, and so does closing the page, in the browser's
 * own words. Where the browser does not let Back be held, it goes back.
 */
function useLeaveGuard(isDirty: boolean) {
  const router = useRouter();
  const [wanted, setWanted] = useState<Wanted>();
  const ask = useEffectEvent(setWanted);

  useEffect(() => {
    if (!isDirty) return;
    const closing = (event: BeforeUnloadEvent) => event.preventDefault();
    const pressed = (event: MouseEvent) => {
      const href = leavingLink(event);
      if (href === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      ask({ href });
    };
    const moving = (event: NavigateEvent) => {
      if (event.navigationType !== "traverse" || !event.cancelable || event.destination.key === "") return;
      event.preventDefault();
      ask({ entry: event.destination.key });
    };
    const history = "navigation" in window ? window.navigation : undefined;
    window.addEventListener("beforeunload", closing);
    document.addEventListener("click", pressed, true);
    history?.addEventListener("navigate", moving);
    return () => {
      window.removeEventListener("beforeunload", closing);
      document.removeEventListener("click", pressed, true);
      history?.removeEventListener("navigate", moving);
    };
  }, [isDirty]);

  const stay = useCallback(() => setWanted(undefined), []);
  /** Call it once `isDirty` is false, so that the way is free. */
  const go = useCallback(() => {
    if (wanted === undefined) return;
    if ("href" in wanted) router.push(wanted.href);
    else window.navigation.traverseTo(wanted.entry);
  }, [router, wanted]);
  return { isAsking: wanted !== undefined, stay, go };
}

/** The address that a plain press would go to in this window; undefined: it stays on the page. */
function leavingLink(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.target === "_blank" || link.hasAttribute("download"))
    return undefined;
  const to = new URL(link.href);
  const here = window.location;
  if (to.origin !== here.origin) return undefined;
  if (to.pathname === here.pathname && to.search === here.search) return undefined;
  return to.pathname + to.search + to.hash;
}
