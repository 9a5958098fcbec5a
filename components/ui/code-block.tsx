"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button";

interface CodeBlockProps {
  code: string;
  /** Names it for screen readers and the copy button. */
  label: string;
  /** Wrap long lines (commands, keys) or scroll them (JSON). */
  wrap?: boolean;
  /** Height in pixels above which it scrolls. */
  maxHeight?: number;
}

export function CodeBlock({ code, label, wrap = false, maxHeight = 420 }: CodeBlockProps) {
  return (
    <div className="relative min-w-0 rounded-field border border-line bg-subtle">
      <pre
        role="region"
        aria-label={label}
        tabIndex={0}
        style={{ maxHeight }}
        className={`overflow-auto py-2.5 pr-12 pl-3 font-mono text-[13px] leading-5 text-ink ${wrap ? "wrap-anywhere whitespace-pre-wrap" : ""}`}
      >
        {code}
      </pre>
      <div className="absolute top-1 right-1 rounded-field bg-subtle">
        <CopyButton text={code} label={`Copy ${label}`} />
      </div>
    </div>
  );
}

/** Copies `text` and confirms it, also to screen readers. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  const Icon = copied ? Check : Copy;
  return (
    <>
      <Button
        tone="quiet"
        size="icon-small"
        aria-label={label}
        onPress={() => void copy(text).then(setCopied)}
      >
        <Icon aria-hidden className={copied ? "size-4 text-success" : "size-4"} />
      </Button>
      <span role="status" className="sr-only">
        {copied ? "Copied" : ""}
      </span>
    </>
  );
}

/** False if the browser has no clipboard (plain HTTP on a host other than localhost). */
async function copy(text: string): Promise<boolean> {
  if (!("clipboard" in navigator)) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
