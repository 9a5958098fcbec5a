import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { Role } from "@/lib/contract/role";
import { roleText } from "@/lib/domain/role";
import { InvitationActions } from "./invitation-actions";

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
    <Card flush title="Invitations" className="mb-8">
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
                <span className="block text-[13px] text-ink-faint">by {invitedBy}</span>
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
