import { redirect } from "next/navigation";
import { Landing } from "@/components/shell/landing";
import { page } from "@/lib/server/web/page";

export default page("/", ({ actor }) => {
  if (actor !== undefined) redirect("/home");
  return <Landing />;
});
