import { headers } from "next/headers";
import type { ReactNode } from "react";
import { AppShell } from "@/components/shell/app-shell";
import { OpenFrame } from "@/components/shell/open-frame";
import { Providers } from "@/components/shell/providers";
import { currentActor } from "@/lib/server/web/session";

/** Pages that everybody may read. Signed-in users keep their sidebar; visitors load nothing that only forms need. */
export default async function OpenLayout({ children }: { children: ReactNode }) {
  const actor = await currentActor();
  if (actor === undefined) return <OpenFrame signedIn={false}>{children}</OpenFrame>;
  return (
    <Providers nonce={(await headers()).get("x-nonce") ?? undefined}>
      <AppShell actor={actor}>{children}</AppShell>
    </Providers>
  );
}
