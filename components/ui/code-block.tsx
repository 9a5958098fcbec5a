import { CopyButton } from "./copy-button";

interface CodeBlockProps {
  code: string;
  /** What it is, for screen readers and the copy button. */
  label: string;
  /** Break long lines (commands, keys) or scroll them (JSON). */
  wrap?: boolean;
  /** Scroll beyond this many pixels. */
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
