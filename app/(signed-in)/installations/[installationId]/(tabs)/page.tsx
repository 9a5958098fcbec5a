import { HealthHistoryCard } from "@/components/health-history/health-history-card";
import { OverviewTab } from "@/components/installation/tabs/overview-tab";
import { readInstallationHistory } from "@/lib/server/installations/read-installation";
import { currentInstallation, nameInstallation } from "@/lib/server/web/installation";
import { page, titled } from "@/lib/server/web/page";

export const generateMetadata = titled("/installations/[installationId]", "Installations", ({ params }) =>
  nameInstallation(params.installationId),
);

export default page("/installations/[installationId]", async ({ platform, member, params }) => {
  const { id } = await currentInstallation(params.installationId ?? "");
  const history = await readInstallationHistory(platform, member, id);
  return (
    <OverviewTab
      health={
        <HealthHistoryCard
          description="Of the versions that this installation used. Expected stops don't count."
          histories={[{ history }]}
        />
      }
    />
  );
});
