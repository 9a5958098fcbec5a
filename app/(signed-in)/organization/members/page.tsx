import type { Metadata } from "next";
import { InviteButton, LeaveButton } from "@/components/accounts/organization/member-actions";
import { InvitationsCard, MembersTable } from "@/components/accounts/organization/members-table";
import { Downloads } from "@/components/platform/downloads";
import { Card, EmptyState } from "@/components/ui/card";
import { PageHeader, Pager, SortTabs } from "@/components/ui/page-header";
import { SearchForm } from "@/components/ui/search-form";
import { sendsMail } from "@/lib/server/accounts/account-mails";
import { listInvitations } from "@/lib/server/accounts/manage-invitations";
import { listMembers } from "@/lib/server/accounts/members";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Members" };

const PATH = "/organization/members";

const SORTS = [
  { sort: "joined", text: "Joined" },
  { sort: "name", text: "Name" },
  { sort: "role", text: "Role" },
  { sort: "seen", text: "Last seen" },
] as const;

export default page("/organization/members", async ({ platform, member, searchParams }) => {
  const { q = "", after, invited } = searchParams;
  const { organization, userId } = member;
  const mayManage = organization.role === "owner" && organization.moderation !== true;
  const { members, sort, total, owners, ...pages } = await listMembers(platform, member, {
    search: q,
    sort: searchParams.sort,
    after,
  });
  const invitations = mayManage ? await listInvitations(platform, member, invited) : undefined;
  const searched: Record<string, string> = q === "" ? {} : { q };
  const sorted: Record<string, string> = sort === "joined" ? {} : { sort };
  const query = { ...searched, ...sorted };
  const otherPage: Record<string, string> = invited === undefined ? {} : { invited };
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
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <SearchForm path={PATH} label="Search members" value={q} keep={sorted} />
        {total > 1 && <SortTabs path={PATH} query={searched} sorts={SORTS} current={sort} />}
        {organization.role === "owner" && (
          <div className="flex flex-wrap gap-1 sm:ml-auto">
            <Downloads
              path={`/api${PATH}/export`}
              query={query}
              organizationId={organization.id}
              what="members"
            />
          </div>
        )}
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
        query={{ ...query, ...otherPage }}
        pages={pages}
        total={`${total.toLocaleString("en-US")} members`}
      />
      {invitations !== undefined && (invitations.invitations.length > 0 || invited !== undefined) && (
        <div className="mt-8">
          <InvitationsCard invitations={invitations.invitations} />
          <Pager
            path={PATH}
            parameter="invited"
            query={after === undefined ? query : { ...query, after }}
            pages={invitations}
            total={`${invitations.total.toLocaleString("en-US")} invitations`}
          />
        </div>
      )}
    </>
  );
});
