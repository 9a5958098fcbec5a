"use client";

import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { Role } from "@/lib/contract/platform/role";
import { roleText } from "@/lib/domain/accounts/organization";
import { InvitationActions, RemoveMemberButton } from "./member-actions";
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
                <span className="block text-small wrap-anywhere text-ink-faint">{email}</span>
              </TableCell>
              <TableCell label={mayManage && !isLastOwner ? undefined : "Role"} className="min-w-36">
                {mayManage && !isLastOwner ? (
                  <RoleSelect userId={userId} name={name} role={role} isOwn={userId === ownUserId} />
                ) : (
                  <>
                    {roleText(role)}
                    {isLastOwner && <span className="block text-small text-ink-faint">Last owner</span>}
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

interface InvitationView {
  id: string;
  role: Role;
  email: string | null;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
  hasExpired: boolean;
}

/** Invitations that nobody has accepted. */
export function InvitationsCard({ invitations }: { invitations: readonly InvitationView[] }) {
  return (
    <Card flush title="Invitations">
      <Table label="Invitations">
        <TableHead columns={["For", "Role", "Invited", "Expires", ""]} />
        <TableBody>
          {invitations.map(({ id, role, email, invitedBy, createdAt, expiresAt, hasExpired }) => (
            <TableRow key={id}>
              <TableCell className="min-w-40 font-medium wrap-anywhere">
                {email ?? <span className="text-ink-soft">Anyone with the link</span>}
              </TableCell>
              <TableCell label="Role">{roleText(role)}</TableCell>
              <TableCell label="Invited" className="text-ink-soft">
                <RelativeTime at={createdAt} />
                <span className="block text-small text-ink-faint">by {invitedBy}</span>
              </TableCell>
              <TableCell label="Expires" className="whitespace-nowrap text-ink-soft">
                {hasExpired ? <Badge>Expired</Badge> : <RelativeTime at={expiresAt} />}
              </TableCell>
              <TableCell className="text-right">
                <InvitationActions id={id} email={email ?? ""} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Card>
  );
}
