import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { Role } from "@/lib/contract/role";
import { roleText } from "@/lib/domain/role";
import { RemoveMemberButton } from "./remove-member-button";
import { RoleSelect } from "./role-select";

export interface MemberView {
  userId: string;
  name: string;
  email: string;
  role: Role;
  joinedAt: Date;
  lastSeenAt: Date | null;
  /** Working ones that the member created. */
  apiKeys: number;
}

interface MembersTableProps {
  members: readonly MemberView[];
  ownUserId: string;
  /** How many the organization has. */
  owners: number;
  mayManage: boolean;
}

export function MembersTable({ members, ownUserId, owners, mayManage }: MembersTableProps) {
  return (
    <Table label="Members">
      <TableHead columns={["Name", "Role", "Last seen", "Joined", ...(mayManage ? [""] : [])]} />
      <TableBody>
        {members.map((member) => {
          const { userId, name, email, role, joinedAt, lastSeenAt } = member;
          const isLastOwner = role === "owner" && owners === 1;
          return (
            <TableRow key={userId}>
              <TableCell className="min-w-48">
                <span className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
                  <bdi>{name}</bdi>
                  {userId === ownUserId && <Badge>You</Badge>}
                </span>
                <span className="block text-[13px] wrap-anywhere text-ink-faint">{email}</span>
              </TableCell>
              <TableCell label={mayManage && !isLastOwner ? undefined : "Role"} className="min-w-36">
                {mayManage && !isLastOwner ? (
                  <RoleSelect userId={userId} name={name} role={role} isOwn={userId === ownUserId} />
                ) : (
                  <>
                    {roleText(role)}
                    {isLastOwner && <span className="block text-[13px] text-ink-faint">Last owner</span>}
                  </>
                )}
              </TableCell>
              <TableCell label="Last seen" className="whitespace-nowrap text-ink-soft">
                {lastSeenAt === null ? "Not yet" : <RelativeTime at={lastSeenAt} />}
              </TableCell>
              <TableCell label="Joined" className="whitespace-nowrap text-ink-soft">
                <RelativeTime at={joinedAt} />
              </TableCell>
              {mayManage && (
                <TableCell className="text-right">
                  {userId !== ownUserId && <RemoveMemberButton member={member} />}
                </TableCell>
              )}
            </TableRow>
          );
        })}
      </TableBody>
    </Table>
  );
}
