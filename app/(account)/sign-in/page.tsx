import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SignInForm } from "@/components/accounts/sign-in/sign-in-form";
import { explainRefusal } from "@/components/accounts/sign-in/sign-in-help";
import { TextLink } from "@/components/ui/links";
import { localPath } from "@/lib/domain/accounts/sign-in";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Sign in" };

export default page("/sign-in", ({ platform, actor, searchParams }) => {
  const { PLATFORM_OIDC_ISSUER: issuer, PLATFORM_OIDC_NAME: oidcName } = platform.environment;
  const destination = localPath(searchParams.callbackUrl, "/");
  if (actor !== undefined) redirect(destination);
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">Sign in</h1>
      <p className="mt-1 mb-8 text-ink-soft">
        New here? <TextLink href="/sign-up">Create your organization</TextLink>
      </p>
      <SignInForm
        destination={destination}
        oidcName={issuer === "" ? undefined : oidcName}
        failure={explainRefusal(searchParams.error, oidcName)}
      />
    </>
  );
});
