import { CircleCheck } from "lucide-react";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { PageHeader } from "@/components/ui/page-header";
import type { InstallationView } from "@/lib/contract/installations/installation-view";

interface NoUpgradeProps {
  installation: Pick<InstallationView, "id" | "title" | "name" | "version"> & { tenant: { name: string } };
}

/** The upgrade is done already, or its version is no longer offered. */
export function NoUpgrade({ installation }: NoUpgradeProps) {
  const { id, title, name, version, tenant } = installation;
  return (
    <>
      <PageHeader
        title={`Upgrade ${title}`}
        description={`${name} for ${tenant.name}`}
        back={{ href: `/installations/${id}`, text: title }}
      />
      <Card flush>
        <EmptyState
          icon={CircleCheck}
          title={`Version ${version} is up to date`}
          action={<LinkButton href={`/installations/${id}`}>Open the installation</LinkButton>}
        >
          There is no other version to switch to.
        </EmptyState>
      </Card>
    </>
  );
}
