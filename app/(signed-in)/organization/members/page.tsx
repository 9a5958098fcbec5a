import type { Metadata } from "next";
import { InvitationsCard } from "@/components/members/invitations-card";
import { InviteButton } from "@/components/members/invite-button";
import { LeaveButton } from "@/components/members/leave-button";
import { MembersTable } from "@/components/members/members-table";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Pager, SearchForm } from "@/components/ui/list-controls";
import { PageHeader } from "@/components/ui/page-header";
import { sendsMail } from "@/lib/server/identity/account-mails";
import { listInvitations } from "@/lib/server/invitations/manage-invitations";
import { listMembers } from "@/lib/server/members/members";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Members" };

const PATH = "/organization/members";

export default page("/organization/members", async ({ platform, member, searchParams }) => {
  const { q = "", after } = searchParams;
  const { organization, userId } = member;
  const mayManage = organization.role === "owner" && organization.moderation !== true;
  const { members, owners, next } = await listMembers(platform, member, { search: q, after });
  const invitations = mayManage ? await listInvitations(platform, member) : [];
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
      {invitations.length > 0 && <InvitationsCard invitations={invitations} />}
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
      <Pager path={PATH} query={q === "" ? {} : { q }} next={next} started={after !== undefined} />
    </>
  );
});
