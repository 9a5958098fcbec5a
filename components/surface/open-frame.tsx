import type { ReactNode } from "react";
import { LinkButton, PageLink, TextLink } from "@/components/ui/links";
import { docsPath } from "@/lib/contract/platform/docs-pages";
import { ThemeSwitch } from "./theme-switch";

interface OpenFrameProps {
  signedIn: boolean;
  children: ReactNode;
  /** A sidebar, above the page on narrow screens. */
  beside?: ReactNode;
}

/** The frame of a page that everybody may read. */
export function OpenFrame({ signedIn, beside, children }: OpenFrameProps) {
  const main = (
    <main id="main" tabIndex={-1} className="min-w-0 flex-1 py-6 outline-none sm:py-10">
      {children}
    </main>
  );
  return (
    <div
      className={`mx-auto flex min-h-dvh flex-col px-4 sm:px-8 ${beside === undefined ? "max-w-6xl" : "max-w-7xl"}`}
    >
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-field focus:bg-raised focus:px-4 focus:py-2 focus:shadow-high"
      >
        Skip to main content
      </a>
      <header className="flex min-h-16 flex-wrap items-center justify-between gap-x-2 py-2 print:hidden">
        <Brand />
        <div className="flex flex-wrap items-center gap-1">
          <LinkButton href="/marketplace" tone="quiet" size="small" className="max-sm:hidden">
            Marketplace
          </LinkButton>
          <LinkButton href="/docs" tone="quiet" size="small">
            Docs
          </LinkButton>
          <ThemeSwitch />
          <LinkButton href={signedIn ? "/home" : "/sign-in"} size="small">
            {signedIn ? "Home" : "Sign in"}
          </LinkButton>
        </div>
      </header>
      {beside === undefined ? (
        main
      ) : (
        <div className="flex flex-1 flex-col lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-x-10 print:block">
          <div className="pt-2 lg:sticky lg:top-0 lg:-mx-2 lg:max-h-dvh lg:scroll-py-4 lg:self-start lg:overflow-y-auto lg:px-2 lg:py-10">
            {beside}
          </div>
          {main}
        </div>
      )}
      <footer className="flex flex-wrap justify-between gap-x-8 gap-y-2 border-t border-line py-8 text-small text-ink-faint print:hidden">
        <p>Open source under the Apache License 2.0.</p>
        <nav aria-label="More" className="flex flex-wrap gap-x-6 gap-y-2">
          <TextLink href="/marketplace">Marketplace</TextLink>
          <TextLink href="/docs">Docs</TextLink>
          <TextLink href={docsPath("events")}>Event catalog</TextLink>
          <TextLink href={docsPath("api")}>API</TextLink>
        </nav>
      </footer>
    </div>
  );
}

/** The frame of pages without a sidebar: sign in, sign up, sign out. */
export function PlainFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex min-h-16 items-center justify-between px-4 py-2 sm:px-8">
        <Brand />
        <ThemeSwitch />
      </header>
      <main className="flex flex-1 flex-col items-center px-4 pt-[6vh] pb-16">
        <div className="w-full max-w-sm">{children}</div>
      </main>
    </div>
  );
}

/** The mark: a host with one app in its dock. */
export function Brand({ href = "/" }: { href?: string }) {
  return (
    <PageLink
      href={href}
      className="inline-flex items-center gap-2.5 rounded-sm font-semibold tracking-tight text-ink"
    >
      <svg viewBox="0 0 24 24" aria-hidden className="size-6 shrink-0">
        <rect width="24" height="24" rx="6" className="fill-accent" />
        <rect x="6" y="6" width="5" height="5" rx="1.5" fill="#fff" />
        <rect x="13" y="6" width="5" height="5" rx="1.5" fill="#fff" opacity="0.55" />
        <rect x="6" y="13" width="12" height="5" rx="1.5" fill="#fff" opacity="0.8" />
      </svg>
      <span className="@max-[9rem]:sr-only">App Hosting</span>
    </PageLink>
  );
}
