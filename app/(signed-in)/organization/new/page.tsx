import { randomBytes } from "node:crypto";
import type { Metadata } from "next";
import { NewOrganizationForm } from "@/components/accounts/organization/new-organization-form";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { splitAppName } from "@/lib/contract/platform/text-shapes";
import { suggestOwnOrganization } from "@/lib/domain/accounts/organization";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "New organization" };

export default page("/organization/new", ({ actor, searchParams }) => {
  // Of an app that this person wants to try.
  const name = splitAppName(searchParams.try ?? "") === undefined ? undefined : searchParams.try;
  return (
    <>
      <PageHeader
        title="New organization"
        description="It has its own apps, tenants, members, and settings. You will be its owner, and can switch between your organizations at any time."
      />
      {name !== undefined && (
        <Notice title="A trial runs in an organization" className="mb-6 max-w-3xl">
          You are not in one yet, so this creates one just for you. Keep the names or change them, then
          continue to the trial. If your company already has an organization here, ask one of its owners to
          invite you instead.
        </Notice>
      )}
      <Card>
        {name === undefined ? (
          <NewOrganizationForm />
        ) : (
          <NewOrganizationForm
            suggested={suggestOwnOrganization(actor.name, randomBytes(2).toString("hex"))}
            submitText="Create and try the app"
            next={`/launch/${name}?trial=1`}
          />
        )}
      </Card>
    </>
  );
});
