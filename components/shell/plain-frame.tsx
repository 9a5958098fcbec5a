import type { ReactNode } from "react";
import { Brand } from "./brand";
import { ThemeSwitch } from "./theme-switch";

/** The frame of pages without a sidebar: sign in, sign up, sign out. */
export function PlainFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-16 items-center justify-between px-4 sm:px-8">
        <Brand />
        <ThemeSwitch />
      </header>
      <main className="flex flex-1 flex-col items-center px-4 pt-[6vh] pb-16">
        <div className="w-full max-w-sm">{children}</div>
      </main>
    </div>
  );
}
