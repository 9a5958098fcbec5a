import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { SwitchCard } from "@/components/organization/switch-card";
import { localPath } from "@/lib/domain/local-path";
import { listOwnOrganizations } from "@/lib/server/members/switch-organization";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Switch organization" };

export default page("/organization/switch", async ({ platform, actor, searchParams }) => {
  const organizations = await listOwnOrganizations(platform, actor);
  const organization = organizations.find(({ id }) => id === searchParams.to);
  if (organization === undefined) notFound();
  const next = localPath(searchParams.next, "/home");
  if (organization.id === actor.organization?.id) redirect(next);
  return (
    <>
      <h1 className="sr-only">Switch organization</h1>
      <SwitchCard organization={organization} next={next} />
    </>
  );
});
