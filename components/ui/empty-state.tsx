import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { CodeBlock } from "./code-block";

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
    <div className="flex flex-col items-center px-6 py-12 text-center">
      {Icon !== undefined && (
        <span className="mb-4 flex size-10 items-center justify-center rounded-card border border-line bg-subtle text-ink-faint">
          <Icon aria-hidden className="size-5" />
        </span>
      )}
      <p className="font-medium text-ink">{title}</p>
      {children !== undefined && (
        <div className="mt-1 max-w-md text-[13px] leading-5 text-ink-faint">{children}</div>
      )}
      {command !== undefined && (
        <div className="mt-5 w-full max-w-md text-left">
          <CodeBlock label="the next command" wrap code={command} />
        </div>
      )}
      {action !== undefined && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
