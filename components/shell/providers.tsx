"use client";

import { useRouter } from "next/navigation";
import { useState, type ReactNode } from "react";
import { I18nProvider, RouterProvider } from "react-aria-components";
import { QueryProvider } from "@/lib/client/query-client";

/** What forms and live pages need: a query client, React Aria's language, and links that the router follows. */
export function Providers({ nonce: current, children }: { nonce?: string; children: ReactNode }) {
  const router = useRouter();
  // A refresh brings the nonce of a later request, but the document's policy keeps the first one.
  const [nonce] = useState(current);
  return (
    <>
      {/* React Aria and CodeMirror read it for the style elements that they add. */}
      <meta property="csp-nonce" nonce={nonce} suppressHydrationWarning />
      <QueryProvider>
        <I18nProvider locale="en">
          <RouterProvider navigate={router.push}>{children}</RouterProvider>
        </I18nProvider>
      </QueryProvider>
    </>
  );
}
