"use client";

import { useRouter } from "next/navigation";
import { ThemeProvider } from "next-themes";
import { useState, type ReactNode } from "react";
import { I18nProvider, RouterProvider } from "react-aria-components";
import { QueryProvider } from "@/lib/client/query-client";

/** What every page stands in: theme, links that the router follows, and one query client a browser. */
export function Providers({ nonce: current, children }: { nonce?: string; children: ReactNode }) {
  const router = useRouter();
  // A refresh brings the nonce of a later request, but the document's policy keeps the first one.
  const [nonce] = useState(current);
  return (
    <>
      {/* React Aria reads it for the style elements that it adds. */}
      <meta property="csp-nonce" nonce={nonce} suppressHydrationWarning />
      <ThemeProvider attribute="class" enableColorScheme={false} disableTransitionOnChange nonce={nonce}>
        <QueryProvider>
          <I18nProvider locale="en">
            <RouterProvider navigate={router.push}>{children}</RouterProvider>
          </I18nProvider>
        </QueryProvider>
      </ThemeProvider>
    </>
  );
}
