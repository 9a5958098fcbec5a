import type { ReactNode } from "react";
import { LazyShell } from "@/components/surface/lazy-pages";
import { OpenFrame } from "@/components/surface/open-frame";
import { describeShell } from "@/lib/server/surface/web/page";
import { currentActor } from "@/lib/server/surface/web/session";

/** Pages that everybody may read. Signed-in users keep their sidebar; visitors load nothing that only forms need. */
export default async function OpenLayout({ children }: { children: ReactNode }) {
  const actor = await currentActor();
  if (actor === undefined) return <OpenFrame signedIn={false}>{children}</OpenFrame>;
  return <LazyShell {...await describeShell(actor)}>{children}</LazyShell>;
}
