import type { Metadata } from "next";
import { ProfileCard } from "@/components/accounts/account/profile-card";
import { SecondFactorCard } from "@/components/accounts/account/second-factor-card";
import { IdentityCard, PasswordCard, SessionsCard } from "@/components/accounts/account/sign-in-cards";
import { ZoneCard } from "@/components/accounts/account/zone-card";
import { PageHeader, Pager } from "@/components/ui/page-header";
import { sendsMail } from "@/lib/server/accounts/account-mails";
import { readSecondFactor } from "@/lib/server/accounts/second-factor";
import { listSessions } from "@/lib/server/accounts/sessions";
import { listIdentities } from "@/lib/server/accounts/sign-in";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Account" };

export default page("/account", async ({ platform, actor, searchParams }) => {
  const { PLATFORM_OIDC_ISSUER: issuer, PLATFORM_OIDC_NAME: issuerName } = platform.environment;
  const { sessions: after } = searchParams;
  const [secondFactor, { sessions, ...pages }, identities] = await Promise.all([
    readSecondFactor(platform, actor),
    listSessions(platform, actor, after),
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
        <ZoneCard />
        <SessionsCard
          sessions={sessions}
          pager={<Pager path="/account" parameter="sessions" query={{}} pages={pages} />}
        />
      </div>
    </>
  );
});
