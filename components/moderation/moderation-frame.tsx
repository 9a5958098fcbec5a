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

interface ReviewColumnsProps {
  /** The decision and what belongs to it. */
  decision: ReactNode;
  /** What is decided about. */
  children: ReactNode;
}

/** On a wide screen, the decision stays in view beside what is decided about. */
export function ReviewColumns({ decision, children }: ReviewColumnsProps) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <div className="flex min-w-0 flex-col gap-6">{children}</div>
      <div className="flex min-w-0 flex-col gap-6 lg:sticky lg:top-6 lg:-m-1 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto lg:p-1">
        {decision}
      </div>
    </div>
  );
}
