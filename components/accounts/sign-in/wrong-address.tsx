"use client";

import { useSyncExternalStore } from "react";
import { Notice } from "@/components/ui/notice";
import { rightAddress } from "@/lib/client/navigation";

/** Shown where somebody opened the platform at another address than its own: nothing that they send is accepted there. */
export function WrongAddress() {
  const right = useSyncExternalStore(subscribe, rightAddress, () => undefined);
  if (right === undefined) return null;
  return (
    <Notice tone="warning" title="This is not the platform's address" className="mb-6">
      You opened {location.origin}, where signing in doesn&apos;t work. Continue at{" "}
      <a translate="no" href={right} className="text-accent-text underline underline-offset-2">
        {new URL(right).origin}
      </a>
      .
    </Notice>
  );
}

const subscribe = () => () => {};
