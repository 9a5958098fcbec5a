"use client";

import { Check, Copy, type LucideIcon } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
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
  const [copied, copyText] = useCopied();
  const Icon = copied ? Check : Copy;
  return (
    <>
      <button
        type="button"
        aria-label={label}
        onClick={() => copyText(text)}
        className={buttonStyles({ tone: "quiet", size: "icon-small" })}
      >
        <Icon aria-hidden className={copied ? "size-4 text-success" : "size-4"} />
      </button>
      <span role="status" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
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
  const [copied, copyText] = useCopied();
  const Icon = copied ? Check : icon;
  return (
    <>
      <button type="button" onClick={() => copyText(create())} className={buttonStyles({ size: "small" })}>
        <Icon aria-hidden className={copied ? "size-4 text-success" : "size-4"} />
        {children}
      </button>
      <span role="status" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
    </>
  );
}

/** Whether a text was copied a moment ago, and the function that copies one. */
export function useCopied(): [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  return [copied, (text) => void copy(text).then(setCopied)];
}

/** False if the browser has no clipboard (plain HTTP on a host other than localhost). */
async function copy(text: string): Promise<boolean> {
  if (!("clipboard" in navigator)) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
