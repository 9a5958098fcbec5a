import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { CodeBlock } from "./code-block";

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
    <section id={id} className={`card ${edge} ${className}`}>
      {headed && (
        <header className={`card-head ${flush ? "pb-4" : ""}`}>
          <div className="min-w-0">
            <h2 className="text-lead font-semibold text-ink">{title}</h2>
            {description !== undefined && (
              <p className="mt-1 text-small leading-5 wrap-anywhere text-ink-faint">{description}</p>
            )}
          </div>
          {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
        </header>
      )}
      <div className={flush ? "" : "p-4 sm:p-6"}>{children}</div>
    </section>
  );
}

interface MoreNoteProps {
  /** How many rows of a list are not shown. Without any, there is no note. */
  count: number;
  one: string;
  many: string;
  /** The foot of a flush card. */
  flush?: boolean;
  /** Where the others are. */
  children?: ReactNode;
}

/** Says what a list leaves out. */
export function MoreNote({ count, one, many, flush = false, children }: MoreNoteProps) {
  if (count <= 0) return null;
  return (
    <p
      className={`text-small leading-5 text-ink-faint ${flush ? "border-t border-line px-4 py-3 sm:px-6" : ""}`}
    >
      {count === 1 ? `1 more ${one} is` : `${count.toLocaleString("en-US")} more ${many} are`} not shown.
      {children !== undefined && <> {children}</>}
    </p>
  );
}

interface EmptyStateProps {
  icon?: LucideIcon;
  title: string;
  /** What would be here, and how to add it. */
  children?: ReactNode;
  action?: ReactNode;
  /** The command to run next, if a command is the next step. */
  command?: string;
}

export function EmptyState({ icon: Icon, title, children, action, command }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-[min(1.5rem,6vw)] py-12 text-center">
      {Icon !== undefined && (
        <span className="mb-4 flex size-10 items-center justify-center rounded-card border border-line bg-subtle text-ink-faint">
          <Icon aria-hidden className="size-5" />
        </span>
      )}
      <p className="font-medium text-ink">{title}</p>
      {children !== undefined && (
        <div className="mt-1 max-w-md text-small leading-5 text-ink-faint">{children}</div>
      )}
      {command !== undefined && (
        <div className="mt-5 w-full max-w-md text-left">
          <CodeBlock label="the next command" wrap code={command} />
        </div>
      )}
      {action !== undefined && (
        <div className="mt-5 flex max-w-full flex-wrap justify-center gap-2">{action}</div>
      )}
    </div>
  );
}

/** A gray placeholder; its class sets the size. */
export function Skeleton({ className = "h-4 w-full" }: { className?: string }) {
  return <span aria-hidden className={`block animate-pulse rounded-field bg-hover ${className}`} />;
}

/** The shape of a page while it loads: a heading and a card of rows. */
export function PageSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading">
      <Skeleton className="h-8 w-56" />
      <Skeleton className="mt-3 mb-8 h-4 w-80 max-w-full" />
      <div className="space-y-5 rounded-card border border-line bg-surface p-6">
        {Array.from({ length: rows }, (_, index) => (
          <Skeleton key={index} className={`h-5 ${index % 2 === 0 ? "w-full" : "w-3/4"}`} />
        ))}
      </div>
    </div>
  );
}
