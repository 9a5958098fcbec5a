import type { Metadata } from "next";
import { InstallationPage } from "@/components/installation/installation-page";
import { readInstallation } from "@/lib/server/installations/read-installation";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Installation" };

export default page("/installations/[installationId]", async ({ platform, member, params }) => {
  const installation = await readInstallation(platform, member, params.installationId ?? "");
  return <InstallationPage initial={installation} role={member.organization.role} />;
});
