import { ChevronLeft } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { LinkPending } from "./link-pending";

interface PageHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  /** One level up. */
  back?: { href: string; text: string };
  /** State badges beside the title. */
  badges?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, description, back, badges, actions }: PageHeaderProps) {
  return (
    <header className="mb-6 sm:mb-8">
      {back !== undefined && (
        <Link
          href={back.href}
          className="mb-2 -ml-1 inline-flex items-center gap-1 rounded-sm py-1 text-[13px] text-ink-faint hover:text-ink"
        >
          <ChevronLeft aria-hidden className="size-4" />
          {back.text}
          <LinkPending />
        </Link>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 text-2xl font-semibold tracking-tight wrap-anywhere text-ink">{title}</h1>
            {badges}
          </div>
          {description !== undefined && (
            <p className="mt-1 max-w-2xl wrap-anywhere text-ink-soft">{description}</p>
          )}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
    </header>
  );
}
