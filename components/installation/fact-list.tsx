import type { ReactNode } from "react";

export interface Fact {
  key: string;
  name: ReactNode;
  value: ReactNode;
}

/** Names and values, one under the other on a phone. */
export function FactList({ rows }: { rows: Fact[] }) {
  return (
    <dl className="flex flex-col gap-3">
      {rows.map(({ key, name, value }) => (
        <div key={key} className="grid items-baseline gap-x-4 gap-y-0.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
          <dt className="text-[13px] leading-5 wrap-anywhere text-ink-faint">{name}</dt>
          <dd className="min-w-0 wrap-anywhere text-ink">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
