import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { PendingDeliveries } from "@/lib/contract/call-summary";
import { describeWaiting, type Live } from "@/components/call/delivery-labels";

interface PendingNoticeProps {
  pending: PendingDeliveries;
  installation: Live;
  className?: string;
}

/** Deliveries that wait until the installation runs, or that are tried again later. */
export function PendingNotice({ pending, installation, className }: PendingNoticeProps) {
  const waiting = describeWaiting(pending, installation);
  if (waiting !== undefined)
    return (
      <Notice tone="warning" title={waiting.title} className={className}>
        {waiting.text}
        {waiting.since !== null && (
          <>
            {" "}
            {pending.waiting === 1 ? "It was due" : "The oldest was due"} <RelativeTime at={waiting.since} />.
          </>
        )}
      </Notice>
    );
  if (pending.retrying === 0) return null;
  const one = pending.retrying === 1;
  return (
    <Notice
      title={
        one ? "1 failed delivery is tried again" : `${pending.retrying} failed deliveries are tried again`
      }
      className={className}
    >
      {pending.nextRetryAt !== null && (
        <>
          {one ? "The next attempt is" : "The next attempt of one of them is"}{" "}
          <RelativeTime at={pending.nextRetryAt} />.
        </>
      )}
    </Notice>
  );
}
