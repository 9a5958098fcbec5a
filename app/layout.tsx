import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { APPLY_THEME } from "@/components/surface/theme-switch";
import { ZoneProvider } from "@/components/ui/zone";
import { HOLD_EARLY_SUBMITS } from "@/lib/client/early-submits";
import { SURVIVE_TRANSLATION } from "@/lib/client/translated-text";
import { webEnvironment } from "@/lib/server/surface/web/platform";
import { readPersonalZone } from "@/lib/server/surface/web/page-reads";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "App Hosting Platform", template: "%s · App Hosting Platform" },
  description: "Publish, verify, configure, and run apps for the core policy-administration system.",
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbfbfc" },
    { media: "(prefers-color-scheme: dark)", color: "#0d0f12" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <html lang="en" data-web-url={webEnvironment().PLATFORM_WEB_URL} suppressHydrationWarning>
      <body>
        <script
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: APPLY_THEME + SURVIVE_TRANSLATION + HOLD_EARLY_SUBMITS }}
        />
        <ZoneProvider personal={await readPersonalZone()}>{children}</ZoneProvider>
      </body>
    </html>
  );
}
