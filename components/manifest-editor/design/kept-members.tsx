"use client";

import { isRecord } from "@/lib/domain/manifest/finding";

/** Keys that the platform does not know: shown, so that nobody thinks them lost. */
export function KeptMembers({ value, known }: { value: unknown; known: readonly string[] }) {
  const kept = isRecord(value) ? Object.keys(value).filter((key) => !known.includes(key)) : [];
  if (kept.length === 0) return null;
  return (
    <div className="flex flex-col gap-1.5 border-t border-line pt-4">
      <h3 className="text-[13px] font-medium text-ink">Kept as they are</h3>
      <ul className="flex flex-wrap gap-1.5">
        {kept.slice(0, 50).map((key) => (
          <li
            key={key}
            className="max-w-full truncate rounded-full border border-line bg-subtle px-2 font-mono text-xs leading-5 text-ink-soft"
          >
            <bdi>{key.slice(0, 200)}</bdi>
          </li>
        ))}
        {kept.length > 50 && (
          <li className="text-xs leading-5 text-ink-faint">and {kept.length - 50} more</li>
        )}
      </ul>
      <p className="text-[13px] leading-5 text-ink-faint">
        The platform does not know these keys. They have no effect, and every edit leaves them alone.
      </p>
    </div>
  );
}
