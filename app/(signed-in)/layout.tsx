import type { ReactNode } from "react";
import { AppShell } from "@/components/shell/app-shell";
import { currentActor } from "@/lib/server/web/current-actor";

export default async function SignedInLayout({ children }: { children: ReactNode }) {
  const actor = await currentActor();
  // Each page sends those who are not signed in to sign in; there is nobody to draw a frame for.
  return actor === undefined ? children : <AppShell actor={actor}>{children}</AppShell>;
}
