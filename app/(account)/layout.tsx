import { headers } from "next/headers";
import type { ReactNode } from "react";
import { WrongAddress } from "@/components/accounts/sign-in/wrong-address";
import { PlainFrame } from "@/components/surface/open-frame";
import { Providers } from "@/components/surface/providers";

export default async function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <Providers nonce={(await headers()).get("x-nonce") ?? undefined}>
      <PlainFrame>
        <WrongAddress />
        {children}
      </PlainFrame>
    </Providers>
  );
}
