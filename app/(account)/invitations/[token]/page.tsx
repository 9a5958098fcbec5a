import {
  AcceptInvitation,
  InvitedSignUpForm,
  SignedInAs,
} from "@/components/accounts/sign-in/accept-invitation";
import { TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { asRole } from "@/lib/domain/accounts/organization";
import { page, titled } from "@/lib/server/surface/web/page";
import { currentInvitation } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled("/invitations/[token]", "Invitation", async ({ params }) => {
  const offer = await currentInvitation(params.token ?? "");
  return typeof offer === "string" ? "Too many attempts" : offer.organizationName;
});

export default page("/invitations/[token]", async ({ actor, params: { token = "" } }) => {
  const offer = await currentInvitation(token);
  if (typeof offer === "string") return <Notice tone="warning" title={offer} />;
  const { organizationName, role, invitedBy, email, expiresAt } = offer;
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">Join {organizationName}</h1>
      <p className="mt-1 mb-8 wrap-anywhere text-ink-soft">
        <bdi>{invitedBy}</bdi> invited you to join {organizationName} as {asRole(role)}. The invitation
        expires <RelativeTime at={expiresAt} />.
      </p>
      {actor === undefined ? (
        <>
          <InvitedSignUpForm token={token} email={email} />
          <p className="mt-6 text-small text-ink-soft">
            Already have an account?{" "}
            <TextLink href={`/sign-in?callbackUrl=${encodeURIComponent(`/invitations/${token}`)}`}>
              Sign in
            </TextLink>{" "}
            to accept the invitation.
          </p>
        </>
      ) : email !== null && email !== actor.email ? (
        <Notice tone="warning" title={`This invitation is for ${email}`}>
          <SignedInAs token={token} email={actor.email} />: you come back to this invitation.
        </Notice>
      ) : (
        <AcceptInvitation token={token} organizationName={organizationName} email={actor.email} />
      )}
    </>
  );
});
