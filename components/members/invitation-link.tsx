"use client";

import { CodeBlock } from "@/components/ui/code-block";
import { Notice } from "@/components/ui/notice";
import type { CreatedInvitation } from "@/lib/contract/invitation";

/** A new link. It is only in the page's memory. */
export function InvitationLink({ invitation, email }: { invitation: CreatedInvitation; email: string }) {
  return (
    <div className="flex flex-col gap-4">
      <Notice
        tone={invitation.mailed ? "success" : "warning"}
        title={invitation.mailed ? `Sent to ${email}` : "Copy the link now"}
      >
        {invitation.mailed
          ? "You can also give the link to your colleague yourself. It won't be shown again."
          : "You won't see it again: only a hash of it is stored."}{" "}
        It works once, within 7 days{email === "" ? "" : `, and only for ${email}`}.
      </Notice>
      <CodeBlock label="Link" wrap code={invitation.url} />
    </div>
  );
}
