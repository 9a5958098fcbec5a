import { redirect } from "next/navigation";
import { Landing } from "@/components/shell/landing";
import { page } from "@/lib/server/web/page";

export default page("/", ({ actor, member }) => {
  if (member !== undefined) redirect("/marketplace");
  if (actor?.moderator === true) redirect("/moderation");
  return <Landing />;
});
