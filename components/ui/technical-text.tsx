import type { ReactNode } from "react";
import { INSTANCE_REASONS, type ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { CopyButton } from "./code-block";
import { LearnMore } from "./notice";
import { RelativeTime } from "./relative-time";
import { UserText } from "./values";

interface ShortIdProps {
  /** A digest or an id, or a text that contains one, such as a URL. */
  value: string;
  /** Names what is copied, such as "image digest". */
  label: string;
}

/** A digest or id, shortened, with the whole one on hover and a button that copies it. */
export function ShortId({ value, label }: ShortIdProps) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1 align-middle">
      <code translate="no" title={value} className="min-w-0 font-mono text-small wrap-anywhere text-ink">
        {shortenIds(value)}
      </code>
      <CopyButton text={value} label={`Copy ${label}`} />
    </span>
  );
}

/** UUIDs, and hexadecimal digests of 128 bits and more. */
const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}/gi;

/**
 * `sha256:4f1c…` instead of 64 digits. It keeps both ends of each id: those that were made together start with the same
 * digits.
 */
export function shortenIds(text: string): string {
  return text.replace(IDS, (id) => `${id.slice(0, 8)}…${id.slice(-6)}`);
}

/** The end of an app's log, for its publisher. Scrolls, by keyboard too. */
export function LogTail({ log: { at, text } }: { log: { at: Date | string; text: string } }) {
  return (
    <figure className="mt-3 flex flex-col gap-1">
      <figcaption className="text-small text-ink-faint">
        End of the log, <RelativeTime at={at} />. Only your organization sees it.
      </figcaption>
      <pre
        translate="no"
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

const READERS = {
  publisher: "Next step for the app's publisher: ",
  operator: "Next step for the platform's operator: ",
  nobody: "",
} as const;

/** What to do about the reason why an app doesn't run, and the reason's code. */
export function NextStep({ code }: { code: ReasonCode }) {
  const { fixedBy, nextStep } = INSTANCE_REASONS[code];
  return (
    <p className="my-1 text-small leading-5 wrap-anywhere text-ink-soft">
      <code
        translate="no"
        className="mr-2 rounded-sm border border-line bg-surface px-1 font-mono text-xs text-ink-soft"
      >
        {code}
      </code>
      {READERS[fixedBy]}
      {nextStep} <LearnMore code={code} />
    </p>
  );
}

interface CodeTabsProps {
  /** Apart from all others on the page. */
  id: string;
  tabs: readonly { title: string; code: ReactNode }[];
}

/**
 * The same code in several languages. The tabs are radio buttons, and styles alone show the chosen one, so that it works
 * without JavaScript. On pages of the documentation, `docs-controls.tsx` chooses the same language in all others.
 */
export function CodeTabs({ id, tabs }: CodeTabsProps) {
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-1">
      <legend className="sr-only">Language</legend>
      {tabs.map(({ title, code }, index) => (
        <div key={title} className="contents">
          <input
            type="radio"
            id={`${id}-${index}`}
            name={id}
            value={title}
            data-language-tab
            defaultChecked={index === 0}
            className="peer sr-only"
          />
          <label
            htmlFor={`${id}-${index}`}
            className="flex h-8 cursor-pointer items-center rounded-field px-3 text-small text-ink-soft peer-checked:bg-accent-soft peer-checked:font-medium peer-checked:text-accent-text peer-focus-visible:outline-2 peer-focus-visible:outline-accent-text hover:bg-hover hover:text-ink print:hidden"
          >
            {title}
          </label>
          <div className="order-1 mt-1 hidden w-full min-w-0 peer-checked:block print:block">{code}</div>
        </div>
      ))}
    </fieldset>
  );
}
