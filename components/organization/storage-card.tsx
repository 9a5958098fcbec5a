import { formatBytes } from "@/components/listing/facts";
import { Card } from "@/components/ui/card";

interface StorageCardProps {
  usedBytes: number;
  quotaBytes: number;
}

/** A share of the quota from which on a publisher should know. */
const ALMOST_FULL = 0.9;

/** What the organization's published images take of its storage. */
export function StorageCard({ usedBytes, quotaBytes }: StorageCardProps) {
  const share = Math.min(1, usedBytes / quotaBytes);
  const isFull = usedBytes >= quotaBytes;
  const isAlmostFull = share >= ALMOST_FULL;
  const used = `${formatBytes(usedBytes)} of ${formatBytes(quotaBytes)} used`;
  return (
    <Card
      title="Storage"
      description="Each published image is kept, so that every version can run. Versions of the same image share it."
    >
      <div
        role="meter"
        aria-label="Storage"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={used}
        className="h-2 overflow-hidden rounded-full bg-subtle"
      >
        <div
          className={`h-full rounded-full ${isAlmostFull ? "bg-warning" : "bg-accent"}`}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      <p className="mt-2 text-[13px] text-ink-soft tabular-nums">{used}</p>
      {isAlmostFull && (
        <p className="mt-1 text-[13px] text-warning">
          {isFull ? "New images are refused." : "New images will soon be refused."} Ask the platform’s
          operator for more storage.
        </p>
      )}
    </Card>
  );
}
