import type { ReactNode } from "react";
import { SignedInShell } from "@/components/shell/signed-in-shell";
import { currentActor } from "@/lib/server/web/session";
import { describeShell } from "@/lib/server/web/shell";

export default async function SignedInLayout({ children }: { children: ReactNode }) {
  const actor = await currentActor();
  // Each page redirects visitors to sign in, so there is no frame to draw for them.
  if (actor === undefined) return children;
  return <SignedInShell {...await describeShell(actor)}>{children}</SignedInShell>;
}
