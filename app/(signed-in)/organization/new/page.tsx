import type { Metadata } from "next";
import { NewOrganizationForm } from "@/components/accounts/organization/new-organization-form";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "New organization" };

export default page("/organization/new", () => (
  <>
    <PageHeader
      title="New organization"
      description="It has its own apps, tenants, members, and settings. You will be its owner, and can switch between your organizations at any time."
    />
    <Card>
      <NewOrganizationForm />
    </Card>
  </>
));
