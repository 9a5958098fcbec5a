import { Card } from "@/components/ui/card";
import { LogTail } from "@/components/ui/log-tail";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/user-text";

export interface VersionFailure {
  versionId: string;
  number: string;
  at: Date;
  reason: string;
  log: { at: Date; text: string } | undefined;
}

/** Why the instances of each version last failed, no matter who launched them. Newest version first. */
export function FailuresCard({ failures }: { failures: readonly VersionFailure[] }) {
  if (failures.length === 0) return null;
  return (
    <Card
      flush
      title="Last failures"
      description="The last time that each version failed to start or crashed."
    >
      <ul className="divide-y divide-line border-t border-line">
        {failures.map(({ versionId, number, at, reason, log }) => (
          <li key={versionId} className="flex flex-col gap-1 px-4 py-3 sm:px-6">
            <p className="flex flex-wrap justify-between gap-x-4">
              <span className="font-medium tabular-nums">Version {number}</span>
              <span className="text-[13px] text-ink-faint">
                <RelativeTime at={at} />
              </span>
            </p>
            <p className="text-[13px] leading-5 wrap-anywhere text-ink-soft">
              <UserText>{reason}</UserText>
            </p>
            {log !== undefined && <LogTail log={log} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}
