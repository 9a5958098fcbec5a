import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { SwitchCard } from "@/components/accounts/organization/switch-card";
import { localPath } from "@/lib/domain/accounts/sign-in";
import { listOwnOrganizations } from "@/lib/server/accounts/organization";
import { page } from "@/lib/server/surface/web/page";

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
