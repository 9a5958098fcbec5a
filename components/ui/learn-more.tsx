import type { ErrorCode } from "@/lib/contract/error-codes";
import { errorPath } from "@/lib/contract/error-path";

/** The entry of a code in the documentation. In a new tab, because what was typed on this page could be lost. */
export function LearnMore({ code, className = "" }: { code: ErrorCode; className?: string }) {
  return (
    <a
      href={errorPath(code)}
      target="_blank"
      rel="noopener"
      className={`rounded-sm text-[13px] whitespace-nowrap text-ink-soft underline decoration-line-strong underline-offset-2 hover:text-ink hover:decoration-ink ${className}`}
    >
      Learn more<span className="sr-only"> about {code} (opens in a new tab)</span>
    </a>
  );
}
