import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { LogTail, NextStep } from "@/components/ui/technical-text";
import { UserText } from "@/components/ui/values";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";

export interface VersionFailure {
  versionId: string;
  number: string;
  at: Date;
  code: ReasonCode | null;
  exitCode: number | null;
  reason: string;
  /** Set while the version is not restarted anymore, because it crashed too often. */
  parked: { at: Date; crashes: number } | undefined;
  log: { at: Date; text: string } | undefined;
}

interface FailuresCardProps {
  failures: readonly VersionFailure[];
  /** Older versions failed as well. */
  hasMore: boolean;
}

/** Why the instances of each version last failed, no matter who launched them. Newest version first. */
export function FailuresCard({ failures, hasMore }: FailuresCardProps) {
  if (failures.length === 0) return null;
  return (
    <Card
      flush
      title="Last failures"
      description="The last time that each version failed to start or crashed."
    >
      <ul className="divide-y divide-line border-t border-line">
        {failures.map(({ versionId, number, at, code, reason, parked, log }) => (
          <li key={versionId} className="flex flex-col gap-1 px-4 py-3 sm:px-6">
            <p className="flex flex-wrap justify-between gap-x-4">
              <span className="flex gap-2 font-medium tabular-nums">
                Version {number}
                {parked !== undefined && <Badge tone="danger">Parked</Badge>}
              </span>
              <span className="text-small text-ink-faint">
                <RelativeTime at={at} />
              </span>
            </p>
            <p className="text-small leading-5 wrap-anywhere text-ink-soft">
              <UserText>{reason}</UserText>
            </p>
            {code !== null && <NextStep code={code} />}
            {parked !== undefined && (
              <p className="text-small leading-5 text-ink-soft">
                It crashed {parked.crashes} times within an hour, so the platform stopped restarting it{" "}
                <RelativeTime at={parked.at} />. Its customers can start it again, or upgrade to a version
                that works.
              </p>
            )}
            {log !== undefined && <LogTail log={log} />}
          </li>
        ))}
      </ul>
      {hasMore && (
        <p className="border-t border-line px-4 py-3 text-small text-ink-faint sm:px-6">
          Older versions failed as well. Their logs are in the list of versions.
        </p>
      )}
    </Card>
  );
}
