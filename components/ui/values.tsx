import { Children, type ReactNode } from "react";
import { showDirectionMarks } from "@/lib/domain/platform/text";

interface UserTextProps {
  children: string;
  className?: string;
  /** For names and values that a translated page must show as they are. */
  translate?: "no";
}

/** A publisher's text within ours. It can't change the direction of our text or disguise itself. */
export function UserText({ children, className, translate }: UserTextProps) {
  return (
    <bdi className={className} translate={translate}>
      {showDirectionMarks(children)}
    </bdi>
  );
}

/** Text of ours that a user's text may be part of, such as "Report Telematics". Anything but text stays as it is. */
export function showMarks(text: ReactNode): ReactNode {
  if (typeof text === "string") return showDirectionMarks(text);
  return Array.isArray(text) && text.some((part) => showMarks(part) !== part)
    ? Children.map(text, showMarks)
    : text;
}

/** Names and values, one per line. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className="divide-y divide-line">
      {facts.map(([name, value]) => (
        <div
          key={name}
          className="flex flex-wrap items-baseline justify-between gap-x-4 py-2 first:pt-0 last:pb-0"
        >
          <dt className="shrink-0 text-small text-ink-faint">{name}</dt>
          <dd className="min-w-0 flex-1 basis-20 text-right wrap-anywhere text-ink">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const UNITS = ["bytes", "kB", "MB", "GB"] as const;

/** Decimal units, as container engines show sizes. */
export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const size = bytes / 1000 ** step;
  return `${step === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[step]}`;
}
