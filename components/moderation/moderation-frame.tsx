import type { ReactNode } from "react";
import { PageHeader } from "@/components/ui/page-header";
import { LinkTabs } from "@/components/ui/link-tabs";

export const MODERATION_TABS = [
  { href: "/moderation", text: "Reviews" },
  { href: "/moderation/listings", text: "Listings" },
  { href: "/moderation/reports", text: "Reports" },
  { href: "/moderation/usage", text: "Usage" },
  { href: "/moderation/isolation", text: "Isolation" },
  { href: "/moderation/operation", text: "Operation" },
  { href: "/moderation/audit", text: "Audit trail" },
] as const;

interface ModerationFrameProps {
  /** What the open tab shows. */
  description: string;
  actions?: ReactNode;
  /** The open tab. */
  children: ReactNode;
}

/** The header and the tabs of moderation. */
export function ModerationFrame({ description, actions, children }: ModerationFrameProps) {
  return (
    <>
      <PageHeader title="Moderation" description={description} actions={actions} />
      <LinkTabs label="Moderation" tabs={MODERATION_TABS} />
      {children}
    </>
  );
}
