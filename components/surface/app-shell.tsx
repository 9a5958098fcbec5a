import type { ReactNode } from "react";
import { AvailabilityProvider, AwayBanner } from "@/components/platform/availability";
import { Bell } from "@/components/platform/bell";
import { PageSkeleton } from "@/components/ui/card";
import { PageLink, TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Availability } from "@/lib/contract/platform/availability";
import type { Actor } from "@/lib/domain/platform/actor";
import { Navigation } from "./navigation";
import { Brand } from "./open-frame";
import { Providers } from "./providers";
import { FollowOrganization, OrganizationSwitcher, PhoneMenu, SignOutButton } from "./shell-controls";
import { ShellSearch } from "./shell-search";
import { ThemeSwitch } from "./theme-switch";

export interface SignedInShellProps extends AppShellProps {
  nonce: string | undefined;
  /** What is away, if the server knows it. */
  availability: Availability | undefined;
}

/** The frame of signed-in pages, with what their forms and live parts need. */
export function SignedInShell({ nonce, availability, ...shell }: SignedInShellProps) {
  return (
    <Providers nonce={nonce}>
      <AvailabilityProvider initial={availability}>
        <AppShell {...shell} />
      </AvailabilityProvider>
    </Providers>
  );
}

const HOME = "/home";

interface AppShellProps {
  actor: Pick<Actor, "name" | "email" | "organization" | "moderator">;
  /** The paths that the user may open. */
  allowed: string[];
  /** The platform was restored from a backup and is on hold; for moderators. */
  heldSince?: Date;
  children: ReactNode;
}

/** The frame of every signed-in page: a sidebar on wide screens, a bar with a menu on narrow ones. */
export function AppShell({ actor, allowed, heldSince, children }: AppShellProps) {
  return (
    <div className="lg:pl-60">
      <FollowOrganization shown={actor.organization?.id ?? ""} />
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-field focus:bg-raised focus:px-4 focus:py-2 focus:shadow-high"
      >
        Skip to main content
      </a>
      <aside className="fixed inset-y-0 left-0 z-30 hidden w-60 scroll-py-4 flex-col gap-8 overflow-y-auto border-r border-line bg-surface p-4 lg:flex">
        <div className="flex items-center justify-between pl-2">
          <Brand href={HOME} />
          <Bell />
        </div>
        <div className="-mt-4 flex flex-col gap-2">
          <OrganizationSwitcher actor={actor} />
          <ShellSearch allowed={allowed} />
        </div>
        <Navigation allowed={allowed} />
        <div className="mt-auto">
          <AccountCard actor={actor} />
        </div>
      </aside>
      <header className="sticky top-0 z-30 flex h-14 items-center justify-between gap-2 border-b border-line bg-surface px-4 lg:hidden">
        {/* With large text, the name gives way to the buttons; the sign stays. */}
        <div className="@container -m-1 min-w-0 flex-1 overflow-hidden p-1">
          <Brand href={HOME} />
        </div>
        <div className="flex shrink-0 items-center gap-1">
          <ShellSearch allowed={allowed} compact />
          <Bell />
          <PhoneMenu allowed={allowed} footer={<PhoneFooter actor={actor} />} />
        </div>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-5xl px-4 py-6 outline-none sm:px-8 sm:py-10"
      >
        <AwayBanner />
        {heldSince !== undefined && <HoldNotice since={heldSince} />}
        <div data-page>{children}</div>
        <div data-page-skeleton>
          <PageSkeleton />
        </div>
      </main>
    </div>
  );
}

/** On each page: what moderators decide here has no effect on apps yet. */
function HoldNotice({ since }: { since: Date }) {
  return (
    <Notice tone="warning" title="The platform is on hold" className="mb-6">
      It was restored from a backup <RelativeTime at={since} />. It starts no apps and sends no webhooks and
      no mail until an operator releases it. <TextLink href="/moderation/operation">Operation</TextLink>
    </Notice>
  );
}

function PhoneFooter({ actor }: Pick<AppShellProps, "actor">) {
  return (
    <div className="flex flex-col gap-4">
      <OrganizationSwitcher actor={actor} />
      <AccountCard actor={actor} />
    </div>
  );
}

/** Who is signed in with which role, and the button to sign out. */
function AccountCard({ actor }: Pick<AppShellProps, "actor">) {
  const role = actor.organization?.role ?? (actor.moderator ? "moderator" : "no organization");
  return (
    <div className="border-t border-line pt-4">
      <PageLink href="/account" className="block rounded-field px-3 py-1 hover:bg-hover">
        <span className="block truncate text-sm font-medium text-ink" title={actor.name}>
          {actor.name}
        </span>
        <span className="block truncate text-xs text-ink-faint" title={actor.email}>
          {actor.email} · {role}
        </span>
        <span className="sr-only">Account</span>
      </PageLink>
      <div className="mt-2 flex items-center justify-between">
        <SignOutButton />
        <ThemeSwitch />
      </div>
    </div>
  );
}
