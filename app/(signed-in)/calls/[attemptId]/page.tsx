import { nameCall } from "@/components/call/call-labels";
import { CallPage } from "@/components/call/call-page";
import { currentCall } from "@/lib/server/web/call";
import { page, titled } from "@/lib/server/web/page";

export const generateMetadata = titled("/calls/[attemptId]", "Calls", async ({ params }) => {
  const call = await currentCall(params.attemptId ?? "");
  return `${nameCall(call)} · ${call.installation.title}`;
});

export default page("/calls/[attemptId]", async ({ member, params }) => (
  <CallPage initial={await currentCall(params.attemptId ?? "")} role={member.organization.role} />
));
