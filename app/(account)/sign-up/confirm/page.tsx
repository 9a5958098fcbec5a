import type { Metadata } from "next";
import { ConfirmSignUpForm } from "@/components/accounts/sign-in/sign-up-form";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Confirm your email address" };

export default page("/sign-up/confirm", () => (
  <>
    <h1 className="text-2xl font-semibold tracking-tight">Confirm your email address</h1>
    <p className="mt-1 mb-8 text-ink-soft">Enter your password to finish signing up.</p>
    <ConfirmSignUpForm />
  </>
));
