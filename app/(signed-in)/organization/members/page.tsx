import type { Metadata } from "next";
import { InviteButton, LeaveButton } from "@/components/accounts/organization/member-actions";
import { InvitationsCard, MembersTable } from "@/components/accounts/organization/members-table";
import { Card, EmptyState } from "@/components/ui/card";
import { PageHeader, Pager } from "@/components/ui/page-header";
import { SearchForm } from "@/components/ui/search-form";
import { sendsMail } from "@/lib/server/accounts/account-mails";
import { listInvitations } from "@/lib/server/accounts/manage-invitations";
import { listMembers } from "@/lib/server/accounts/members";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Members" };

const PATH = "/organization/members";

export default page("/organization/members", async ({ platform, member, searchParams }) => {
  const { q = "", after, invited } = searchParams;
  const { organization, userId } = member;
  const mayManage = organization.role === "owner" && organization.moderation !== true;
  const { members, total, owners, ...pages } = await listMembers(platform, member, { search: q, after });
  const invitations = mayManage ? await listInvitations(platform, member, invited) : undefined;
  const query = { ...(q === "" ? {} : { q }), ...(after === undefined ? {} : { after }) };
  const isLastOwner = organization.role === "owner" && owners === 1;
  return (
    <>
      <PageHeader
        title="Members"
        description={`The people in ${organization.name}, and what each of them can do.`}
        actions={
          <>
            {organization.moderation !== true && (
              <LeaveButton organizationName={organization.name} isLastOwner={isLastOwner} />
            )}
            {mayManage && <InviteButton sendsMail={sendsMail(platform)} />}
          </>
        }
      />
      <div className="mb-4">
        <SearchForm path={PATH} label="Search members" value={q} />
      </div>
      <Card flush>
        {members.length === 0 ? (
          <EmptyState title="No matching members">Search covers names and email addresses.</EmptyState>
        ) : (
          <MembersTable members={members} ownUserId={userId} owners={owners} mayManage={mayManage} />
        )}
      </Card>
      <Pager
        path={PATH}
        query={{ ...(q === "" ? {} : { q }), ...(invited === undefined ? {} : { invited }) }}
        pages={pages}
        total={`${total.toLocaleString("en-US")} members`}
      />
      {invitations !== undefined && (invitations.invitations.length > 0 || invited !== undefined) && (
        <div className="mt-8">
          <InvitationsCard invitations={invitations.invitations} />
          <Pager path={PATH} parameter="invited" query={query} pages={invitations} />
        </div>
      )}
    </>
  );
});
