import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SignUpForm } from "@/components/accounts/sign-in/sign-up-form";
import { TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { readNewcomer } from "@/lib/server/surface/web/cookies";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Create your organization" };

export default page("/sign-up", async ({ platform, actor, searchParams }) => {
  if (actor !== undefined) redirect("/");
  const isNewcomer = searchParams.error === "no-account";
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">Create your organization</h1>
      <p className="mt-1 mb-8 text-ink-soft">
        Publish apps, use them, or both. Already have an account? <TextLink href="/sign-in">Sign in</TextLink>
      </p>
      {isNewcomer && (
        <Notice className="mb-6" title="No account is linked to your identity yet">
          Create your organization, or open your invitation. Then connect{" "}
          {platform.environment.PLATFORM_OIDC_NAME} on your account page, and sign in with it from then on.
        </Notice>
      )}
      <SignUpForm person={isNewcomer ? await readNewcomer() : undefined} />
    </>
  );
});
