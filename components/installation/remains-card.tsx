import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { RelativeTime } from "@/components/ui/relative-time";
import type { InstallationView } from "@/lib/contract/installation-view";
import { FactList } from "./fact-list";
import { launchedFact, Mono } from "./runs-card";

/** What is left of an installation that was uninstalled: facts, and who did what. */
export function RemainsCard({ installation }: { installation: InstallationView }) {
  const { id, name, version, imageDigest, tenant, test, updatedAt, configuration } = installation;
  return (
    <Card
      title="What remains"
      description="The record of what ran and of who did what. No setting and no secret."
      actions={
        <>
          <LinkButton size="small" href={`/installations/${id}/history`}>
            History
          </LinkButton>
          {!test && (
            <LinkButton size="small" href={`/marketplace/${name}`}>
              Open the listing
            </LinkButton>
          )}
        </>
      }
    >
      <FactList
        rows={[
          { key: "app", name: "App", value: name },
          { key: "version", name: "Version", value: version },
          { key: "image", name: "Image", value: <Mono>{imageDigest}</Mono> },
          { key: "tenant", name: "Tenant", value: `${tenant.name} (${tenant.hostName})` },
          launchedFact(installation),
          { key: "uninstalled", name: "Uninstalled", value: <RelativeTime at={updatedAt} /> },
          { key: "revisions", name: "Revisions", value: configuration.revision },
        ]}
      />
    </Card>
  );
}
