import type { ReactNode, Ref, UIEventHandler } from "react";

interface PanelProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** Beside the page's area, it has a height of its own and scrolls. */
  isPanel: boolean;
  scroller?: Ref<HTMLDivElement>;
  onScroll?: UIEventHandler<HTMLDivElement>;
  children: ReactNode;
}

/** Something live that is an area of its own on a phone, and beside the area on a wide screen. */
export function Panel({ title, description, actions, isPanel, scroller, onScroll, children }: PanelProps) {
  return (
    <section
      aria-label={title}
      className={`flex min-h-0 min-w-0 flex-col rounded-card border border-line bg-surface shadow-low ${isPanel ? "h-full" : ""}`}
    >
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-2.5">
        <div className="min-w-0">
          <h2 className="text-[13px] font-semibold text-ink">{title}</h2>
          {description !== undefined && (
            <p className="text-xs leading-5 wrap-anywhere text-ink-faint">{description}</p>
          )}
        </div>
        {actions}
      </header>
      <div
        ref={scroller}
        onScroll={onScroll}
        role="region"
        aria-label={`${title}, entries`}
        tabIndex={0}
        className={`min-h-0 min-w-0 flex-1 overflow-y-auto -outline-offset-2 [&>ul]:rounded-none [&>ul]:border-0 ${isPanel ? "" : "max-h-[70dvh]"}`}
      >
        {children}
      </div>
    </section>
  );
}
