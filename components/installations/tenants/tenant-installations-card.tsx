import { Layers } from "lucide-react";
import { Badge, StateBadge } from "@/components/ui/badge";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton, TextLink } from "@/components/ui/links";
import { UserText } from "@/components/ui/values";
import type { TenantView } from "@/lib/contract/installations/installation-view";

/** The apps installed for the tenant. */
export function TenantInstallationsCard({ tenant: { installations, sandbox } }: { tenant: TenantView }) {
  return (
    <Card title="Installations" flush>
      <div className="border-t border-line">
        {installations.length === 0 ? (
          <EmptyState
            icon={Layers}
            title="No installations yet"
            action={!sandbox && <LinkButton href="/marketplace">Browse the marketplace</LinkButton>}
          >
            {sandbox
              ? "Choose this tenant in a Test Launch of one of your apps."
              : "Choose an app and launch it for this tenant."}
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {installations.map((installation) => (
              <li
                key={installation.id}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 sm:px-6"
              >
                <span className="min-w-0">
                  <TextLink standalone href={`/installations/${installation.id}`} className="font-medium">
                    <UserText>{installation.title}</UserText>
                  </TextLink>
                  <span className="block text-small text-ink-faint">Version {installation.version}</span>
                </span>
                <span className="flex flex-wrap gap-1.5">
                  <StateBadge state={installation.health.status} />
                  {installation.test && <Badge tone="warning">Test</Badge>}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
