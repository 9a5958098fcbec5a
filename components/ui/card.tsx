import type { ReactNode } from "react";

interface CardProps {
  children: ReactNode;
  title?: ReactNode;
  description?: ReactNode;
  /** Buttons next to the title. */
  actions?: ReactNode;
  /** No padding, for tables and lists that reach the edge. */
  flush?: boolean;
  className?: string;
  id?: string;
}

export function Card({
  children,
  title,
  description,
  actions,
  flush = false,
  className = "",
  id,
}: CardProps) {
  const headed = title !== undefined;
  // A table at the card's edge takes the card's corners and needs no line above it.
  const edge = flush && !headed ? "overflow-hidden [&_thead_tr]:border-t-0" : "";
  return (
    <section
      id={id}
      className={`min-w-0 rounded-card border border-line bg-surface shadow-low ${edge} ${className}`}
    >
      {headed && (
        <header
          className={`flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 pt-4 sm:px-6 sm:pt-5 ${flush ? "pb-4" : ""}`}
        >
          <div className="min-w-0">
            <h2 className="text-[15px] font-semibold text-ink">{title}</h2>
            {description !== undefined && (
              <p className="mt-1 text-[13px] leading-5 text-ink-faint">{description}</p>
            )}
          </div>
          {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
        </header>
      )}
      <div className={flush ? "" : "p-4 sm:p-6"}>{children}</div>
    </section>
  );
}
