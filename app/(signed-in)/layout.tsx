import type { ReactNode } from "react";
import { SignedInShell } from "@/components/surface/app-shell";
import { describeShell } from "@/lib/server/surface/web/page";
import { currentActor } from "@/lib/server/surface/web/session";

export default async function SignedInLayout({ children }: { children: ReactNode }) {
  const actor = await currentActor();
  // Each page redirects visitors to sign in, so there is no frame to draw for them.
  if (actor === undefined) return children;
  return <SignedInShell {...await describeShell(actor)}>{children}</SignedInShell>;
}
