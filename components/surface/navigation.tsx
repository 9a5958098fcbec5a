"use client";

import {
  Activity,
  BookOpen,
  Boxes,
  CircleQuestionMark,
  House,
  KeyRound,
  Layers,
  ListChecks,
  type LucideIcon,
  Network,
  ScrollText,
  Settings,
  Store,
  Users,
} from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { LinkPending } from "@/components/ui/link-pending";
import { findPageHelp } from "@/lib/domain/surface/page-help";

interface Entry {
  href: string;
  text: string;
  icon: LucideIcon;
}

const HOME: Entry = { href: "/home", text: "Home", icon: House };

const HELP = "Help";

const GROUPS: { title: string; entries: Entry[] }[] = [
  {
    title: "Use apps",
    entries: [
      { href: "/marketplace", text: "Marketplace", icon: Store },
      { href: "/installations", text: "Installations", icon: Layers },
      { href: "/calls", text: "Calls", icon: Activity },
      { href: "/tenants", text: "Tenants", icon: Network },
    ],
  },
  {
    title: "Publish apps",
    entries: [
      { href: "/publish", text: "Listings", icon: Boxes },
      { href: "/organization/api-keys", text: "API keys", icon: KeyRound },
    ],
  },
  {
    title: "Organization",
    entries: [
      { href: "/organization/members", text: "Members", icon: Users },
      { href: "/organization/settings", text: "Settings", icon: Settings },
      { href: "/organization/audit", text: "Audit trail", icon: ScrollText },
    ],
  },
  { title: HELP, entries: [{ href: "/docs", text: "Documentation", icon: BookOpen }] },
  { title: "Platform", entries: [{ href: "/moderation", text: "Moderation", icon: ListChecks }] },
];

/** Every page of the navigation that the user may open. */
export function listPages(allowed: readonly string[]): Entry[] {
  return [HOME, ...GROUPS.flatMap(({ entries }) => entries)].filter(({ href }) => allowed.includes(href));
}

/** `allowed`: the paths that the user may open, from the policy table. */
export function Navigation({ allowed, onNavigate }: { allowed: string[]; onNavigate?: () => void }) {
  const here = usePathname();
  const groups = GROUPS.map((group) => ({
    ...group,
    entries: group.entries.filter((entry) => allowed.includes(entry.href)),
  }));
  return (
    <nav aria-label="Main" className="flex flex-col gap-6">
      <NavigationLink entry={HOME} current={isWithin(here, HOME.href)} onNavigate={onNavigate} />
      {groups
        .filter((group) => group.entries.length > 0)
        .map((group) => (
          <div key={group.title}>
            <p className="mb-1 px-3 text-xs font-medium text-ink-faint">{group.title}</p>
            <ul className="flex flex-col gap-0.5">
              {group.entries.map((entry) => (
                <li key={entry.href}>
                  <NavigationLink
                    entry={entry}
                    current={isWithin(here, entry.href)}
                    onNavigate={onNavigate}
                  />
                </li>
              ))}
              {group.title === HELP && <PageHelp here={here} onNavigate={onNavigate} />}
            </ul>
          </div>
        ))}
    </nav>
  );
}

function NavigationLink({
  entry,
  current,
  onNavigate,
}: {
  entry: Entry;
  current: boolean;
  onNavigate?: () => void;
}) {
  // Loaded ahead only for who is about to follow it: there are a dozen on every page.
  const [intended, setIntended] = useState(false);
  const style = current ? "bg-hover font-medium text-ink" : "text-ink-soft hover:bg-hover hover:text-ink";
  return (
    <Link
      href={entry.href}
      prefetch={intended ? undefined : false}
      onMouseEnter={() => setIntended(true)}
      onFocus={() => setIntended(true)}
      aria-current={current ? "page" : undefined}
      onClick={onNavigate}
      className={`flex h-9 items-center gap-3 rounded-field px-3 transition-colors duration-100 ${style}`}
    >
      <entry.icon
        aria-hidden
        className={`size-4 shrink-0 ${current ? "text-accent-text" : "text-ink-faint"}`}
      />
      {entry.text}
      <LinkPending />
    </Link>
  );
}

/** What explains the page that is open. In a new tab, because what was typed on the page could be lost. */
function PageHelp({ here, onNavigate }: { here: string; onNavigate?: () => void }) {
  const help = findPageHelp(here);
  if (help === undefined) return null;
  return (
    <li>
      <a
        href={help.href}
        target="_blank"
        rel="noopener"
        onClick={onNavigate}
        className="flex h-9 items-center gap-3 rounded-field px-3 text-ink-soft transition-colors duration-100 hover:bg-hover hover:text-ink"
      >
        <CircleQuestionMark aria-hidden className="size-4 shrink-0 text-ink-faint" />
        <span className="truncate">
          Help for this page
          <span className="sr-only">: {help.title} (opens in a new tab)</span>
        </span>
      </a>
    </li>
  );
}

/** The launch flow belongs to the marketplace. */
function isWithin(here: string, href: string): boolean {
  return (
    here === href || here.startsWith(`${href}/`) || (href === "/marketplace" && here.startsWith("/launch/"))
  );
}
