import { MailX } from "lucide-react";
import { EmptyState } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";

/** The same for a link that was used or revoked, has expired, or never existed. */
export default function InvitationNotFound() {
  return (
    <>
      <h1 className="sr-only">Invitation not found</h1>
      <EmptyState
        icon={MailX}
        title="This invitation is no longer valid"
        action={<LinkButton href="/">Go to the home page</LinkButton>}
      >
        It was already used or revoked, or it is more than 7 days old. Check that you opened the whole link,
        or ask for a new one.
      </EmptyState>
    </>
  );
}
