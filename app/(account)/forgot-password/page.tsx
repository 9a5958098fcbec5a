import type { Metadata } from "next";
import { ForgotPasswordForm } from "@/components/identity/forgot-password-form";
import { OperatorHelp } from "@/components/identity/operator-help";
import { TextLink } from "@/components/ui/text-link";
import { sendsMail } from "@/lib/server/identity/account-mails";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Forgot password" };

export default page("/forgot-password", ({ platform }) => (
  <>
    <h1 className="text-2xl font-semibold tracking-tight">Forgot password?</h1>
    <p className="mt-1 mb-8 text-ink-soft">
      {sendsMail(platform) && "Enter your email address to get a link to set a new one. "}
      <TextLink href="/sign-in">Back to sign in</TextLink>
    </p>
    {sendsMail(platform) ? <ForgotPasswordForm /> : <OperatorHelp />}
  </>
));
