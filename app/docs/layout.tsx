import { headers } from "next/headers";
import type { ReactNode } from "react";
import { Providers } from "@/components/shell/providers";

export default async function DocsLayout({ children }: { children: ReactNode }) {
  return <Providers nonce={(await headers()).get("x-nonce") ?? undefined}>{children}</Providers>;
}
