import { headers } from "next/headers";
import { AppShell } from "@/components/shell/app-shell";
import { Missing } from "@/components/shell/missing";
import { PlainFrame } from "@/components/shell/plain-frame";
import { Providers } from "@/components/shell/providers";
import { NOT_FOUND_TITLE } from "@/lib/server/web/page";
import { currentActor } from "@/lib/server/web/session";

export const metadata = { title: NOT_FOUND_TITLE };

/** For addresses that no page has. Signed-in users keep their sidebar. */
export default async function NotFound() {
  const actor = await currentActor();
  if (actor === undefined)
    return (
      <PlainFrame>
        <Missing />
      </PlainFrame>
    );
  return (
    <Providers nonce={(await headers()).get("x-nonce") ?? undefined}>
      <AppShell actor={actor}>
        <Missing />
      </AppShell>
    </Providers>
  );
}
