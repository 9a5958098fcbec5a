"use client";

import { Check, Copy, type LucideIcon } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { copyText } from "@/lib/client/copy-text";
import { JsonTokens } from "./json-tokens";
import { buttonStyles } from "./links";

interface CodeBlockProps {
  code: string;
  /** Names it for screen readers and the copy button. */
  label: string;
  /** Wrap long lines (commands, keys) or scroll them (JSON). */
  wrap?: boolean;
  /** Height above which it scrolls, in pixels at the default font size. */
  maxHeight?: number;
  /** Colors it as JSON. */
  json?: boolean;
  /** The code with colors, if the server has colored it. */
  children?: ReactNode;
}

export function CodeBlock({
  code,
  label,
  wrap = false,
  maxHeight = 420,
  json = false,
  children,
}: CodeBlockProps) {
  return (
    <div className="relative min-w-0 rounded-field border border-line bg-subtle">
      <pre
        translate="no"
        role="region"
        aria-label={label}
        tabIndex={0}
        style={{ maxHeight: `${maxHeight / 16}rem` }}
        className={`overflow-auto py-2.5 pr-12 pl-3 font-mono text-small leading-5 text-ink ${wrap ? "wrap-anywhere whitespace-pre-wrap" : ""}`}
      >
        {children ?? (json ? <JsonTokens text={code} /> : code)}
      </pre>
      <div className="absolute top-1 right-1 rounded-field bg-subtle">
        <CopyButton text={code} label={`Copy ${label}`} />
      </div>
    </div>
  );
}

/** Copies `text` and confirms it, also to screen readers. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const copy = useCopied();
  const Icon = copy.isCopied ? Check : Copy;
  return (
    <>
      <button
        type="button"
        aria-label={label}
        onClick={() => copy.start(text)}
        className={buttonStyles({ tone: "quiet", size: "icon-small" })}
      >
        <Icon aria-hidden className={copy.isCopied ? "size-4 text-success" : "size-4"} />
      </button>
      <CopyOutcome copy={copy} />
    </>
  );
}

interface CopyTextButtonProps {
  /** Creates the text when it is copied. */
  create: () => string;
  icon: LucideIcon;
  children: string;
}

/** The same with a text on the button. */
export function CopyTextButton({ create, icon, children }: CopyTextButtonProps) {
  const copy = useCopied();
  const Icon = copy.isCopied ? Check : icon;
  return (
    <>
      <button type="button" onClick={() => copy.start(create())} className={buttonStyles({ size: "small" })}>
        <Icon aria-hidden className={copy.isCopied ? "size-4 text-success" : "size-4"} />
        {children}
      </button>
      <CopyOutcome copy={copy} />
    </>
  );
}

interface CopyState {
  /** A moment ago. */
  isCopied: boolean;
  /** The text that the browser didn't copy. */
  failed: string | undefined;
  start: (text: string) => void;
  close: () => void;
}

export function useCopied(): CopyState {
  const [isCopied, setCopied] = useState(false);
  const [failed, setFailed] = useState<string>();
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const start = (text: string) =>
    void copyText(text).then((done) => {
      setCopied(done);
      setFailed(done ? undefined : text);
    });
  return { isCopied, failed, start, close: () => setFailed(undefined) };
}

const selectAll = (field: HTMLTextAreaElement | null) => {
  field?.focus();
  field?.select();
};

/** Confirms to screen readers that a text was copied. If it wasn't, shows the text, so that people copy it themselves. */
export function CopyOutcome({ copy: { isCopied, failed, close } }: { copy: CopyState }) {
  return (
    <>
      <span role="status" className="sr-only">
        {isCopied ? "Copied" : ""}
      </span>
      {failed !== undefined && (
        <span
          role="alert"
          className="fixed inset-x-4 bottom-4 z-50 mx-auto flex max-w-lg flex-col gap-2 rounded-card border border-line bg-raised p-4 text-left font-sans text-small leading-5 whitespace-normal text-ink shadow-high"
        >
          <span>The browser didn&apos;t copy the text. Press Ctrl+C, or ⌘C on a Mac.</span>
          <textarea
            readOnly
            translate="no"
            aria-label="Text to copy"
            value={failed}
            rows={Math.min(failed.split("\n").length, 6)}
            ref={selectAll}
            onKeyDown={(event) => event.key === "Escape" && close()}
            className="max-h-60 w-full rounded-field border border-line-strong bg-subtle px-3 py-2 font-mono leading-5 text-ink focus:outline-2 focus:outline-accent-text"
          />
          <button
            type="button"
            onClick={close}
            className={buttonStyles({ size: "small", className: "self-end" })}
          >
            Close
          </button>
        </span>
      )}
    </>
  );
}
