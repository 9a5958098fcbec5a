import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatDuration } from "./format-duration";

interface QueueNoticeProps {
  review: { dueAt: Date; createdAt: Date };
  /** 1 is due first. */
  place: number;
  /** Of recent reviews of the same kind; null if there are none. */
  medianMs: number | null;
}

/** When a publisher can expect the decision. */
export function QueueNotice({ review, place, medianMs }: QueueNoticeProps) {
  return (
    <Notice title={`Number ${place} in the queue`}>
      Due <RelativeTime at={review.dueAt} />.{" "}
      {medianMs === null
        ? "There are no recent decisions to compare with."
        : `Half of the recent reviews took less than ${formatDuration(medianMs)}.`}
    </Notice>
  );
}
