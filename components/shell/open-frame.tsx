import type { ReactNode } from "react";
import { LinkButton } from "@/components/ui/link-button";
import { Brand } from "./brand";
import { ThemeSwitch } from "./theme-switch";

/** The frame of a page that everybody may read, signed in or not. */
export function OpenFrame({ signedIn, children }: { signedIn: boolean; children: ReactNode }) {
  return (
    <div className="mx-auto max-w-5xl px-4 sm:px-8">
      <header className="flex h-16 items-center justify-between">
        <Brand />
        <div className="flex items-center gap-1">
          <ThemeSwitch />
          <LinkButton href={signedIn ? "/home" : "/sign-in"} size="small">
            {signedIn ? "Home" : "Sign in"}
          </LinkButton>
        </div>
      </header>
      <main id="main" className="py-6 sm:py-10">
        {children}
      </main>
    </div>
  );
}
