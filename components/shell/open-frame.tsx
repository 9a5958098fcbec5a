import type { ReactNode } from "react";
import { LinkButton } from "@/components/ui/link-button";
import { TextLink } from "@/components/ui/text-link";
import { Brand } from "./brand";
import { ThemeSwitch } from "./theme-switch";

/** The frame of a page that everybody may read. */
export function OpenFrame({ signedIn, children }: { signedIn: boolean; children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-6xl flex-col px-4 sm:px-8">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-field focus:bg-raised focus:px-4 focus:py-2 focus:shadow-high"
      >
        Skip to main content
      </a>
      <header className="flex h-16 items-center justify-between gap-2">
        <Brand />
        <div className="flex items-center gap-1">
          <LinkButton href="/marketplace" tone="quiet" size="small" className="max-sm:hidden">
            Marketplace
          </LinkButton>
          <ThemeSwitch />
          <LinkButton href={signedIn ? "/home" : "/sign-in"} size="small">
            {signedIn ? "Home" : "Sign in"}
          </LinkButton>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex-1 py-6 outline-none sm:py-10">
        {children}
      </main>
      <footer className="flex flex-wrap justify-between gap-x-8 gap-y-2 border-t border-line py-8 text-[13px] text-ink-faint">
        <p>Open source under the Apache License 2.0.</p>
        <nav aria-label="More" className="flex flex-wrap gap-x-6 gap-y-2">
          <TextLink href="/marketplace" prefetch={false}>
            Marketplace
          </TextLink>
          <TextLink href="/docs/events" prefetch={false}>
            Event catalog
          </TextLink>
          <TextLink href="/openapi.json" prefetch={false}>
            OpenAPI
          </TextLink>
        </nav>
      </footer>
    </div>
  );
}
