import type { Metadata } from "next";
import { ConfirmEmail } from "@/components/accounts/sign-in/mailed-link";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Confirm your email address" };

export default page("/confirm-email", () => (
  <>
    <h1 className="text-2xl font-semibold tracking-tight">Confirm your email address</h1>
    <p className="mt-1 mb-8 text-ink-soft">After you confirm it, you sign in with this address.</p>
    <ConfirmEmail />
  </>
));
