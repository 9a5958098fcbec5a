import { Missing } from "@/components/surface/missing";
import { currentActor } from "@/lib/server/surface/web/session";

export default async function NotFound() {
  return <Missing actor={await currentActor()} />;
}
