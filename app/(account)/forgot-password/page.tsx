import type { Metadata } from "next";
import { ForgotPasswordForm } from "@/components/accounts/sign-in/reset-password";
import { OperatorHelp } from "@/components/accounts/sign-in/sign-in-help";
import { TextLink } from "@/components/ui/links";
import { sendsMail } from "@/lib/server/accounts/account-mails";
import { page } from "@/lib/server/surface/web/page";

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
