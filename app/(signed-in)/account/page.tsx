import type { Metadata } from "next";
import { IdentityCard } from "@/components/account/identity-card";
import { PasswordCard } from "@/components/account/password-card";
import { ProfileCard } from "@/components/account/profile-card";
import { SecondFactorCard } from "@/components/account/second-factor-card";
import { SessionsCard } from "@/components/account/sessions-card";
import { PageHeader } from "@/components/ui/page-header";
import { readSecondFactor } from "@/lib/server/account/second-factor";
import { sendsMail } from "@/lib/server/identity/account-mails";
import { listSessions } from "@/lib/server/identity/sessions";
import { listIdentities } from "@/lib/server/linked-identities/sign-in-with-identity";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Account" };

export default page("/account", async ({ platform, actor, searchParams }) => {
  const { PLATFORM_OIDC_ISSUER: issuer, PLATFORM_OIDC_NAME: issuerName } = platform.environment;
  const [secondFactor, sessions, identities] = await Promise.all([
    readSecondFactor(platform, actor),
    listSessions(platform, actor),
    listIdentities(platform, actor),
  ]);
  return (
    <>
      <PageHeader title="Account" description="How you appear to others, and how you sign in." />
      <div className="flex flex-col gap-6">
        <ProfileCard name={actor.name} email={actor.email} sendsMail={sendsMail(platform)} />
        <PasswordCard />
        <SecondFactorCard
          {...secondFactor}
          requiredBy={actor.lacksSecondFactor === true ? actor.organization?.name : undefined}
        />
        {issuer !== "" && (
          <IdentityCard
            name={issuerName}
            identities={identities}
            linkedElsewhere={searchParams.error === "linked-elsewhere"}
          />
        )}
        <SessionsCard sessions={sessions} />
      </div>
    </>
  );
});
