import { LazyShell } from "@/components/shell/lazy-shell";
import { Missing } from "@/components/shell/missing";
import { PlainFrame } from "@/components/shell/plain-frame";
import { NOT_FOUND_TITLE } from "@/lib/server/web/page";
import { currentActor } from "@/lib/server/web/session";
import { describeShell } from "@/lib/server/web/shell";

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
    <LazyShell {...await describeShell(actor)}>
      <Missing />
    </LazyShell>
  );
}
