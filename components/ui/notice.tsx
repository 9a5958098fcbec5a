import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { tv } from "tailwind-variants";

const ICONS = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert } as const;

const styles = tv({
  slots: { box: "arrive flex gap-3 rounded-card border px-4 py-3 text-sm", icon: "mt-0.5 size-4 shrink-0" },
  variants: {
    tone: {
      info: { box: "border-line bg-subtle", icon: "text-accent-text" },
      success: { box: "border-success-line bg-success-soft", icon: "text-success" },
      warning: { box: "border-warning-line bg-warning-soft", icon: "text-warning" },
      danger: { box: "border-danger-line bg-danger-soft", icon: "text-danger" },
    },
  },
});

interface NoticeProps {
  tone?: keyof typeof ICONS;
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  className?: string;
}

/** Dangers and warnings are read out at once, the rest when the reader is free. */
export function Notice({ tone = "info", title, children, actions, className }: NoticeProps) {
  const Icon = ICONS[tone];
  const { box, icon } = styles({ tone });
  return (
    <div role={tone === "danger" || tone === "warning" ? "alert" : "status"} className={box({ className })}>
      <Icon aria-hidden className={icon()} />
      <div className="min-w-0 flex-1 wrap-anywhere">
        {title !== undefined && <p className="font-medium text-ink">{title}</p>}
        {children !== undefined && <div className="text-ink-soft">{children}</div>}
        {actions !== undefined && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}
