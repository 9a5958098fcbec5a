import type { ReactNode } from "react";
import { closeGaps } from "@/lib/domain/platform/text";
import { UserText } from "./values";

export interface Fact {
  key: string;
  name: ReactNode;
  value: ReactNode;
}

/** Names and values, stacked on a phone. */
export function FactList({ rows }: { rows: Fact[] }) {
  return (
    <dl className="@container flex flex-col gap-3">
      {rows.map(({ key, name, value }) => (
        <div key={key} className="grid items-baseline gap-x-4 gap-y-0.5 @sm:grid-cols-[9rem_minmax(0,1fr)]">
          <dt className="text-small leading-5 wrap-anywhere text-ink-faint">{name}</dt>
          <dd className="min-w-0 wrap-anywhere text-ink">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface LongTextProps {
  children: string;
  /** Names it for screen readers if it scrolls. */
  label: string;
  className?: string;
}

const LINES = 8;
const CHARACTERS = 400;

/** What a person wrote to another, with its line breaks but without gaps. Long text scrolls, by keyboard too. */
export function UserProse({ children, ...props }: LongTextProps) {
  return <LongText {...props}>{closeGaps(children)}</LongText>;
}

/** Text from a user or an app, with its line breaks. Long text scrolls, by keyboard too. */
export function LongText({ children: text, label, className = "" }: LongTextProps) {
  const isLong = text.length > CHARACTERS || text.split("\n", LINES + 1).length > LINES;
  const style = `wrap-anywhere whitespace-pre-wrap ${className}`;
  if (!isLong)
    return (
      <div className={style}>
        <UserText>{text}</UserText>
      </div>
    );
  return (
    <div
      role="group"
      aria-label={label}
      tabIndex={0}
      className={`max-h-60 overflow-y-auto rounded-sm ${style}`}
    >
      <UserText>{text}</UserText>
    </div>
  );
}
