import Link from "next/link";
import { LinkPending } from "@/components/ui/link-pending";

interface OverviewProps {
  facts: readonly { title: string; count: number; text: string; href: string }[];
}

/** What the organization has, each a link to its list. */
export function Overview({ facts }: OverviewProps) {
  return (
    <ul aria-label="Overview" className="grid gap-4 sm:grid-cols-3">
      {facts.map(({ title, count, text, href }) => (
        <li
          key={href}
          className="relative rounded-card border border-line bg-surface p-4 shadow-low transition-colors hover:border-line-strong sm:p-5"
        >
          <p className="text-[13px] text-ink-faint">
            <Link href={href} className="after:absolute after:inset-0 after:rounded-card">
              {title}
              <LinkPending />
            </Link>
          </p>
          <p className="mt-1 text-2xl font-semibold tracking-tight text-ink tabular-nums">{count}</p>
          <p className="text-[13px] text-ink-soft">{text}</p>
        </li>
      ))}
    </ul>
  );
}
