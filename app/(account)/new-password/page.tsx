import type { Metadata } from "next";
import { NewPasswordForm } from "@/components/accounts/sign-in/reset-password";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Set a new password" };

export default page("/new-password", () => (
  <>
    <h1 className="text-2xl font-semibold tracking-tight">Set a new password</h1>
    <p className="mt-1 mb-8 text-ink-soft">Setting a new password ends all sessions of your account.</p>
    <NewPasswordForm />
  </>
));
