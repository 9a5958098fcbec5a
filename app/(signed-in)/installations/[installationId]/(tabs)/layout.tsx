import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { InstallationFrame } from "@/components/installations/installation-frame";
import { Problem } from "@/lib/contract/platform/problem";
import { isMember } from "@/lib/domain/platform/actor";
import { currentInstallation } from "@/lib/server/surface/web/page-reads";
import { currentActor } from "@/lib/server/surface/web/session";

interface TabsLayoutProps {
  params: Promise<{ installationId: string }>;
  children: ReactNode;
}

/**
 * The header stays while its tabs change. Each page checks the permission too, because the router may request only the
 * page.
 */
export default async function InstallationTabs({ params, children }: TabsLayoutProps) {
  const actor = await currentActor();
  // The page sends visitors to sign in, and members without the second factor that they need to their account.
  if (actor === undefined || actor.lacksSecondFactor === true) return children;
  if (!isMember(actor)) notFound();
  const { installationId } = await params;
  const installation = await currentInstallation(installationId).catch((error: unknown) => {
    if (error instanceof Problem && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  return (
    <InstallationFrame initial={installation} role={actor.organization.role}>
      {children}
    </InstallationFrame>
  );
}
