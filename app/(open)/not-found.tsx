import { LazyMissing } from "@/components/surface/lazy-pages";
import { currentActor } from "@/lib/server/surface/web/session";

export default async function NotFound() {
  return <LazyMissing actor={await currentActor()} />;
}
