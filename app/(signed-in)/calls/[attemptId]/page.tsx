import { CallPage } from "@/components/insight/call-log/call-page";
import { nameCall } from "@/components/insight/call-log/call-text";
import { page, titled } from "@/lib/server/surface/web/page";
import { currentCall } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled("/calls/[attemptId]", "Calls", async ({ params }) => {
  const call = await currentCall(params.attemptId ?? "");
  return `${nameCall(call)} · ${call.installation.title}`;
});

export default page("/calls/[attemptId]", async ({ member, params }) => (
  <CallPage initial={await currentCall(params.attemptId ?? "")} role={member.organization.role} />
));
