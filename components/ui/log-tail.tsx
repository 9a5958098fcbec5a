import { RelativeTime } from "./relative-time";
import { UserText } from "./user-text";

/** The end of an app's log, for its publisher. Scrolls, by keyboard too. */
export function LogTail({ log: { at, text } }: { log: { at: Date | string; text: string } }) {
  return (
    <figure className="mt-3 flex flex-col gap-1">
      <figcaption className="text-[13px] text-ink-faint">
        End of the log, <RelativeTime at={at} />. Only your organization sees it.
      </figcaption>
      <pre
        role="group"
        aria-label="End of the log"
        tabIndex={0}
        className="max-h-60 overflow-auto rounded-field border border-line bg-surface px-3 py-2 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap text-ink"
      >
        <UserText>{text}</UserText>
      </pre>
    </figure>
  );
}
