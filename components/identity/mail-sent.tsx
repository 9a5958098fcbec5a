import type { ReactNode } from "react";
import { Notice } from "@/components/ui/notice";

/** Nobody learns here whether the address has an account. The email says so. */
export function MailSent({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Notice tone="success" title="Check your email">
      <p>
        We sent a message to <strong className="font-medium text-ink">{to}</strong>. {children}
      </p>
      <p className="mt-2">Nothing arrived? Look in the spam folder, and check the address for typos.</p>
    </Notice>
  );
}
