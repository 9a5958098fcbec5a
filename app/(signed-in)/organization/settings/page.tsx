import type { Metadata } from "next";
import { ProfileCard } from "@/components/organization/profile-card";
import { RecordBodiesCard, RequireSecondFactorCard } from "@/components/organization/setting-cards";
import { UsageCard } from "@/components/organization/usage-card";
import { PageHeader } from "@/components/ui/page-header";
import { admit, ROUTE_POLICY } from "@/lib/domain/policy";
import { readRequirement } from "@/lib/server/account/second-factor";
import { readProfile } from "@/lib/server/organizations/change-profile";
import { readSettings } from "@/lib/server/organizations/change-settings";
import { readUsage } from "@/lib/server/usage/read-usage";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Organization settings" };

export default page("/organization/settings", async ({ platform, member }) => {
  const { recordBodies } = await readSettings(platform, member);
  const usage = await readUsage(platform, member.organization.id);
  const mayChange = admit(ROUTE_POLICY["PUT /api/organization/settings"], member) === "admitted";
  return (
    <>
      <PageHeader
        title="Settings"
        description={`Settings that apply to everyone in ${member.organization.name}.`}
      />
      <div className="flex flex-col gap-6">
        <ProfileCard profile={await readProfile(platform, member)} mayChange={mayChange} />
        <RecordBodiesCard value={recordBodies} mayChange={mayChange} />
        <RequireSecondFactorCard value={await readRequirement(platform, member)} mayChange={mayChange} />
        <UsageCard {...usage} />
      </div>
    </>
  );
});
