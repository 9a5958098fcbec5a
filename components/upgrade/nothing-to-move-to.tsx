import { CircleCheck } from "lucide-react";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import type { InstallationView } from "@/lib/contract/installation-view";

/** Where an upgrade was made, or its version is not offered any more. */
export function NothingToMoveTo({ installation }: { installation: InstallationView }) {
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
          title={`It is at version ${version}`}
          action={<LinkButton href={`/installations/${id}`}>Open the installation</LinkButton>}
        >
          There is no version to move to from here.
        </EmptyState>
      </Card>
    </>
  );
}
