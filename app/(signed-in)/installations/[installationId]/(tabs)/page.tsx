import { HealthHistoryCard } from "@/components/insight/health-history-card";
import { OverviewTab } from "@/components/installations/overview-tab";
import { EgressCard } from "@/components/runtime/egress-card";
import { readInstallationOverview } from "@/lib/server/installations/read-installation";
import { page, titled } from "@/lib/server/surface/web/page";
import { currentInstallation, nameInstallation } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled("/installations/[installationId]", "Installations", ({ params }) =>
  nameInstallation(params.installationId),
);

export default page("/installations/[installationId]", async ({ platform, member, params }) => {
  const { id } = await currentInstallation(params.installationId ?? "");
  const { history, egress } = await readInstallationOverview(platform, member, id);
  return (
    <OverviewTab
      health={
        <HealthHistoryCard
          description="How the app was doing while you used it. Planned stops don't count as downtime."
          histories={[{ history }]}
        />
      }
      egress={<EgressCard view={egress} />}
    />
  );
});
