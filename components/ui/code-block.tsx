"use client";

import { Check, Copy, type LucideIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button";
import { JsonTokens } from "./json-tokens";

interface CodeBlockProps {
  code: string;
  /** Names it for screen readers and the copy button. */
  label: string;
  /** Wrap long lines (commands, keys) or scroll them (JSON). */
  wrap?: boolean;
  /** Height in pixels above which it scrolls. */
  maxHeight?: number;
  /** Colors it as JSON. */
  json?: boolean;
}

export function CodeBlock({ code, label, wrap = false, maxHeight = 420, json = false }: CodeBlockProps) {
  return (
    <div className="relative min-w-0 rounded-field border border-line bg-subtle">
      <pre
        role="region"
        aria-label={label}
        tabIndex={0}
        style={{ maxHeight }}
        className={`overflow-auto py-2.5 pr-12 pl-3 font-mono text-[13px] leading-5 text-ink ${wrap ? "wrap-anywhere whitespace-pre-wrap" : ""}`}
      >
        {json ? <JsonTokens text={code} /> : code}
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
      <Button tone="quiet" size="icon-small" aria-label={label} onPress={() => copyText(text)}>
        <Icon aria-hidden className={copied ? "size-4 text-success" : "size-4"} />
      </Button>
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
      <Button size="small" onPress={() => copyText(create())}>
        <Icon aria-hidden className={copied ? "size-4 text-success" : "size-4"} />
        {children}
      </Button>
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
