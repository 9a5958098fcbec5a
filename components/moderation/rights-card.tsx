import { RightsList } from "@/components/catalog/configuration-form/rights-list";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import type { Enforcement, RightsView } from "@/lib/contract/catalog/rights";

interface RightsCardProps {
  rights: RightsView;
  enforcement: Enforcement;
}

/** What the customers of a reviewed version agree to, and a warning if nothing limits where it sends their data. */
export function RightsCard({ rights, enforcement }: RightsCardProps) {
  return (
    <Card title="What it may do" description="Customers agree to this when they launch it.">
      {rights.hosts === null && (
        <Notice tone="warning" title="It can connect to any host on the internet" className="mb-4">
          The manifest has no{" "}
          <code translate="no" className="font-mono text-small">
            core.hosts
          </code>
          . Ask the publisher to list the hosts that the app needs.
        </Notice>
      )}
      <RightsList rights={rights} enforcement={enforcement} />
    </Card>
  );
}
