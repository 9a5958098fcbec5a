import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { errorPath } from "@/lib/contract/platform/problem";
import type { ErrorCode } from "@/lib/contract/surface/error-codes";

const TONES = {
  info: { icon: Info, box: "border-line bg-subtle", color: "text-accent-text" },
  success: { icon: CircleCheck, box: "border-success-line bg-success-soft", color: "text-success" },
  warning: { icon: TriangleAlert, box: "border-warning-line bg-warning-soft", color: "text-warning" },
  danger: { icon: CircleAlert, box: "border-danger-line bg-danger-soft", color: "text-danger" },
} as const;

interface NoticeProps {
  tone?: keyof typeof TONES;
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  className?: string;
}

/** Screen readers announce dangers and warnings at once, the rest when they are idle. */
export function Notice({ tone = "info", title, children, actions, className = "" }: NoticeProps) {
  const { icon: Icon, box, color } = TONES[tone];
  return (
    <div
      role={tone === "danger" || tone === "warning" ? "alert" : "status"}
      className={`flex arrive gap-3 rounded-card border px-4 py-3 text-sm ${box} ${className}`}
    >
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${color}`} />
      <div className="min-w-0 flex-1 wrap-anywhere">
        {title !== undefined && <p className="font-medium text-ink">{title}</p>}
        {children !== undefined && <div className="text-ink-soft">{children}</div>}
        {actions !== undefined && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}

/** The entry of a code in the documentation. In a new tab, because what was typed on this page could be lost. */
export function LearnMore({ code, className = "" }: { code: ErrorCode; className?: string }) {
  return (
    <a
      href={errorPath(code)}
      target="_blank"
      rel="noopener"
      className={`rounded-sm text-small whitespace-nowrap text-ink-soft underline decoration-line-strong underline-offset-2 hover:text-ink hover:decoration-ink ${className}`}
    >
      Learn more<span className="sr-only"> about {code} (opens in a new tab)</span>
    </a>
  );
}
