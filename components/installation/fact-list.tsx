import type { ReactNode } from "react";

/** Names and values, one under the other on a phone. */
export function FactList({ rows }: { rows: { name: string; value: ReactNode }[] }) {
  return (
    <dl className="flex flex-col gap-3">
      {rows.map(({ name, value }) => (
        <div key={name} className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
          <dt className="text-[13px] leading-5 text-ink-faint">{name}</dt>
          <dd className="min-w-0 break-words text-ink">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
