import type { ReactNode } from "react";
import { UserProse } from "@/components/ui/fact-list";
import { Card } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";

interface SuspensionsCardProps {
  suspensions: {
    id: string;
    reason: string;
    stopsInstallations: boolean;
    stopped: string[];
    createdAt: Date;
    suspendedBy: string;
    reinstatedAt: Date | null;
    reinstatedBy: string | null;
  }[];
  /** The id of the newest suspension. */
  newest: string | undefined;
  /** Of the newest suspension. */
  stillStopped: { id: string; organization: string }[];
  /** To earlier ones. */
  pager?: ReactNode;
}

/** A page of them, newest first. */
export function SuspensionsCard({ suspensions, newest, stillStopped, pager }: SuspensionsCardProps) {
  if (suspensions.length === 0) return null;
  return (
    <Card flush title="Suspensions">
      <ul className="divide-y divide-line border-t border-line">
        {suspensions.map((suspension) => (
          <li key={suspension.id} className="flex flex-col gap-1 px-4 py-3 text-sm sm:px-6">
            <UserProse label="Reason" className="text-ink">
              {suspension.reason}
            </UserProse>
            <p className="text-small text-ink-faint">
              Suspended by {suspension.suspendedBy} <RelativeTime at={suspension.createdAt} />
              {suspension.stopsInstallations &&
                `, ${suspension.stopped.length} ${suspension.stopped.length === 1 ? "installation" : "installations"} stopped`}
            </p>
            {suspension.reinstatedAt !== null && (
              <p className="text-small text-ink-faint">
                Reinstated by {suspension.reinstatedBy} <RelativeTime at={suspension.reinstatedAt} />
              </p>
            )}
            {suspension.id === newest && stillStopped.length > 0 && (
              <p className="text-small text-ink-soft">Still stopped: {describeStopped(stillStopped)}</p>
            )}
          </li>
        ))}
      </ul>
      <div className="px-4 pb-4 empty:hidden sm:px-6">{pager}</div>
    </Card>
  );
}

/** “3 of Harbor Mutual, 1 of Alpine”. */
function describeStopped(stopped: SuspensionsCardProps["stillStopped"]): string {
  const counts = new Map<string, number>();
  for (const { organization } of stopped) counts.set(organization, (counts.get(organization) ?? 0) + 1);
  return [...counts].map(([organization, count]) => `${count} of ${organization}`).join(", ");
}
