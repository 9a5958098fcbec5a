import type { Metadata } from "next";
import { Network } from "lucide-react";
import { LaunchFlow } from "@/components/configuration-form/launch-flow";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { readLaunch } from "@/lib/server/installations/read-launch";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Launch" };

export default page("/launch/[organization]/[app]", async ({ platform, member, params, searchParams }) => {
  const test = searchParams.test === "1";
  const app = { organization: params.organization ?? "", app: params.app ?? "" };
  const offer = await readLaunch(platform, member, app, test);
  const mayConnect = member.organization.role === "owner";
  return (
    <>
      <PageHeader
        title={`${test ? "Test Launch" : "Launch"} ${offer.title}`}
        description={`Version ${offer.number} by ${offer.publisherName}`}
        badges={test ? <Badge tone="warning">Test Launch</Badge> : undefined}
        back={
          test
            ? { href: `/publish/${app.app}`, text: offer.title }
            : { href: `/marketplace/${offer.name}`, text: offer.title }
        }
      />
      {test && (
        <Notice tone="warning" title="Only your organization sees this" className="mb-6">
          A Test Launch runs the newest version that you published, verified or not, for a tenant of your own.
        </Notice>
      )}
      {offer.tenants.length > 0 ? (
        <LaunchFlow offer={offer} test={test} />
      ) : (
        <Card>
          <EmptyState
            icon={Network}
            title="Connect a tenant first"
            action={
              mayConnect && (
                <LinkButton tone="primary" href="/tenants/new">
                  Connect a tenant
                </LinkButton>
              )
            }
          >
            An app is launched for a tenant of your policy system.
            {mayConnect ? " It takes a minute." : " Ask an owner of your organization to connect one."}
          </EmptyState>
        </Card>
      )}
    </>
  );
});
