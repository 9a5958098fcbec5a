import type { ReactNode } from "react";
import { AppFrame } from "@/components/catalog/listings/app-frame";
import { Problem } from "@/lib/contract/platform/problem";
import { admit, PAGE_POLICY } from "@/lib/domain/accounts/policy";
import { currentOwnApp } from "@/lib/server/surface/web/page-reads";
import { currentActor } from "@/lib/server/surface/web/session";

interface TabsLayoutProps {
  params: Promise<{ app: string }>;
  children: ReactNode;
}

/**
 * The header stays while its tabs change. Each page checks the permission too, because the router may request only the
 * page.
 */
export default async function AppTabs({ params, children }: TabsLayoutProps) {
  // The page sends visitors to sign in, and others to their account or to another organization.
  if (admit(PAGE_POLICY["/publish/[app]"], await currentActor()) !== "admitted") return children;
  const { app } = await params;
  const own = await currentOwnApp(app).catch((error: unknown) => {
    if (error instanceof Problem && error.code === "NOT_FOUND") return undefined;
    throw error;
  });
  return own === undefined ? children : <AppFrame {...own}>{children}</AppFrame>;
}
