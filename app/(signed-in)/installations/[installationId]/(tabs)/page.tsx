import { HealthHistoryCard } from "@/components/insight/health-history-card";
import { OverviewTab } from "@/components/installations/overview-tab";
import { HostAccess, OptionalHostsNote } from "@/components/installations/optional-hosts";
import { EgressCard } from "@/components/runtime/egress-card";
import { page, titled } from "@/lib/server/surface/web/page";
import { currentInstallation, currentOverview, nameInstallation } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled("/installations/[installationId]", "Installations", ({ params }) =>
  nameInstallation(params.installationId),
);

export default page("/installations/[installationId]", async ({ member, params }) => {
  const { id } = await currentInstallation(params.installationId ?? "");
  const { history, egress, optionalHosts } = await currentOverview(id);
  const mayRefuse = member.organization.role === "owner";
  return (
    <OverviewTab
      health={
        <HealthHistoryCard
          description="How the app was doing while you used it. Planned stops don't count as downtime."
          histories={[{ history }]}
        />
      }
      egress={
        <EgressCard
          view={egress}
          access={
            new Map(
              optionalHosts.map((host) => [
                host.host,
                <HostAccess key={host.host} installationId={id} host={host} mayRefuse={mayRefuse} />,
              ]),
            )
          }
        >
          {optionalHosts.length > 0 && (
            <OptionalHostsNote
              count={optionalHosts.length}
              mayRefuse={mayRefuse}
              isGuarded={egress.blindness === null}
            />
          )}
        </EgressCard>
      }
    />
  );
});
