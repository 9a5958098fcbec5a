import { headers } from "next/headers";
import type { ReactNode } from "react";
import { AppShell } from "@/components/shell/app-shell";
import { Providers } from "@/components/shell/providers";
import { currentActor } from "@/lib/server/web/session";

export default async function SignedInLayout({ children }: { children: ReactNode }) {
  const actor = await currentActor();
  // Each page redirects visitors to sign in, so there is no frame to draw for them.
  if (actor === undefined) return children;
  return (
    <Providers nonce={(await headers()).get("x-nonce") ?? undefined}>
      <AppShell actor={actor}>{children}</AppShell>
    </Providers>
  );
}
