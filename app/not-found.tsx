import { LazyMissing, LazyShell } from "@/components/surface/lazy-pages";
import { PlainFrame } from "@/components/surface/open-frame";
import { describeShell, NOT_FOUND_TITLE } from "@/lib/server/surface/web/page";
import { currentActor } from "@/lib/server/surface/web/session";

export const metadata = { title: NOT_FOUND_TITLE };

/** For addresses that no page has. Signed-in users keep their sidebar. */
export default async function NotFound() {
  const actor = await currentActor();
  if (actor === undefined)
    return (
      <PlainFrame>
        <LazyMissing />
      </PlainFrame>
    );
  return (
    <LazyShell {...await describeShell(actor)}>
      <LazyMissing actor={actor} />
    </LazyShell>
  );
}
