import type { Metadata } from "next";
import { DomainsCard } from "@/components/accounts/organization/domains-card";
import {
  ProfileCard,
  RecordBodiesCard,
  RequireSecondFactorCard,
} from "@/components/accounts/organization/setting-cards";
import { UsageCard } from "@/components/accounts/organization/usage-card";
import { LaunchRulesCard } from "@/components/installations/requests/launch-rules";
import { PageHeader } from "@/components/ui/page-header";
import { admit, ROUTE_POLICY } from "@/lib/domain/accounts/policy";
import { listDomains } from "@/lib/server/accounts/domains/manage-domains";
import { readProfile, readSettings } from "@/lib/server/accounts/organization";
import { readRequirement } from "@/lib/server/accounts/second-factor";
import { readUsage } from "@/lib/server/insight/health/read-usage";
import { readLaunchRules } from "@/lib/server/installations/requests/launch-rules";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Organization settings" };

export default page("/organization/settings", async ({ platform, member }) => {
  const { recordBodies } = await readSettings(platform, member);
  const usage = await readUsage(platform, member.organization.id);
  const mayChange = admit(ROUTE_POLICY["PUT /api/organization/settings"], member) === "admitted";
  return (
    <>
      <PageHeader
        title="Settings"
        description={
          <>
            Settings that apply to everyone in {member.organization.name}. Its slug is{" "}
            <code translate="no" className="font-mono">
              {member.organization.slug}
            </code>
            .
          </>
        }
      />
      <div className="flex flex-col gap-6">
        <ProfileCard profile={await readProfile(platform, member)} mayChange={mayChange} />
        <DomainsCard
          domains={await listDomains(platform, member)}
          mayChange={admit(ROUTE_POLICY["POST /api/organization/domains"], member) === "admitted"}
        />
        <RecordBodiesCard value={recordBodies} mayChange={mayChange} />
        <LaunchRulesCard rules={await readLaunchRules(platform, member)} mayChange={mayChange} />
        <RequireSecondFactorCard value={await readRequirement(platform, member)} mayChange={mayChange} />
        <UsageCard {...usage} />
      </div>
    </>
  );
});
