import type { Metadata } from "next";
import { RecordBodiesCard } from "@/components/organization/record-bodies-card";
import { PageHeader } from "@/components/ui/page-header";
import { admit, ROUTE_POLICY } from "@/lib/domain/policy";
import { readSettings } from "@/lib/server/organizations/change-settings";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Settings" };

export default page("/organization/settings", async ({ platform, member }) => {
  const { recordBodies } = await readSettings(platform, member);
  const mayChange = admit(ROUTE_POLICY["PUT /api/organization/settings"], member) === "admitted";
  return (
    <>
      <PageHeader title="Settings" description={`What applies to everyone in ${member.organization.name}.`} />
      <RecordBodiesCard recordBodies={recordBodies} mayChange={mayChange} />
    </>
  );
});
