"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { I18nProvider, RouterProvider } from "react-aria-components";
import { QueryProvider } from "@/lib/client/query-client";

/** What forms and live pages need: a query client, React Aria's language, and links that the router follows. */
export function Providers({ nonce: current, children }: { nonce?: string; children: ReactNode }) {
  const router = useRouter();
  const [nonce] = useState(() => readDocumentNonce() ?? current);
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

/**
 * The document's policy keeps the nonce of the request that brought it. A refresh, and a layout that is entered without loading a
 * document, bring the nonce of a later request. The first script of the document has the right one.
 */
function readDocumentNonce(): string | undefined {
  if (typeof document === "undefined") return undefined;
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
}
