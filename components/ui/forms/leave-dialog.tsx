"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useCallback, useEffect, useEffectEvent, useState } from "react";
import { ConfirmDialog } from "./lazy-code";

interface LeaveDialogProps {
  isDirty: boolean;
  /** What is lost. */
  lost?: string;
  /** Says what happens instead, if nothing is lost. */
  children?: ReactNode;
}

/** Asks before the user leaves unsaved input. */
export function LeaveDialog({ isDirty, lost, children }: LeaveDialogProps) {
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
      {children ?? `You will lose ${lost}.`}
    </ConfirmDialog>
  );
}

type Destination = { href: string } | { entry: string };

/**
 * While `isDirty`, asks before the user follows a link of this site, goes back, or closes the page (the browser's own
 * dialog). If the browser doesn't allow Back to be intercepted, it goes back.
 */
function useLeaveGuard(isDirty: boolean) {
  const router = useRouter();
  const [destination, setDestination] = useState<Destination>();
  const ask = useEffectEvent(setDestination);

  useEffect(() => {
    if (!isDirty) return;
    const closing = (event: BeforeUnloadEvent) => event.preventDefault();
    const clicked = (event: MouseEvent) => {
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
    document.addEventListener("click", clicked, true);
    history?.addEventListener("navigate", moving);
    return () => {
      window.removeEventListener("beforeunload", closing);
      document.removeEventListener("click", clicked, true);
      history?.removeEventListener("navigate", moving);
    };
  }, [isDirty]);

  const stay = useCallback(() => setDestination(undefined), []);
  /** Call it once `isDirty` is false; otherwise it asks again. */
  const go = useCallback(() => {
    if (destination === undefined) return;
    if ("href" in destination) router.push(destination.href);
    else window.navigation.traverseTo(destination.entry);
  }, [router, destination]);
  return { isAsking: destination !== undefined, stay, go };
}

/** The path that a plain click leads to in this window; undefined if it stays on the page. */
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
