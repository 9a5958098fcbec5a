import { UserProse } from "@/components/ui/fact-list";
import { LinkButton, TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { UserText } from "@/components/ui/values";
import type { UpgradeTarget } from "@/lib/contract/installations/configuration-view";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { upgradePath } from "./describe-installation";

interface NoticesProps {
  installation: InstallationView;
  operable: boolean;
}

/** On every tab: what its app's publisher or a moderator changed. */
export function InstallationNotices({ installation, operable }: NoticesProps) {
  return (
    <>
      <ListingNotice installation={installation} />
      <NewTermsNotice installation={installation} operable={operable} />
      <PilotNotice installation={installation} />
    </>
  );
}

/** Says that the app was suspended or retired, and what that means for what runs. */
function ListingNotice({ installation }: { installation: InstallationView }) {
  const { listing, state, test, trialEndsAt } = installation;
  if (trialEndsAt !== null && listing.state !== "PUBLIC" && state !== "UNINSTALLED")
    return (
      <Notice tone="warning" title="This app is no longer in the marketplace">
        This trial ends within a minute.
      </Notice>
    );
  if (test || state === "UNINSTALLED") return null;
  if (listing.state === "SUSPENDED")
    return (
      <Notice tone="warning" title="A moderator suspended this app">
        {listing.suspension !== null && (
          <UserProse label="Reason" className="mb-1">
            {listing.suspension}
          </UserProse>
        )}
        {state === "RUNNING" ? "Your installation keeps running. " : ""}
        Nobody can launch the app or upgrade to its versions until it is reinstated.
      </Notice>
    );
  if (listing.state === "RETIRED")
    return (
      <Notice title="The publisher retired this app">
        {state === "RUNNING" ? "Your installation keeps running. " : ""}
        The app gets no new versions, and nobody can launch it again.
      </Notice>
    );
  return null;
}

/** Until somebody accepts. The app keeps running. */
function NewTermsNotice({ installation, operable }: NoticesProps) {
  const { id, newTerms, state } = installation;
  if (newTerms === null || state === "UNINSTALLING" || state === "UNINSTALLED") return null;
  return (
    <Notice
      title="The publisher has new terms"
      actions={
        operable && (
          <LinkButton size="small" href={`/installations/${id}/settings`}>
            Review the terms
          </LinkButton>
        )
      }
    >
      Nobody in your organization has accepted version <UserText translate="no">{newTerms.version}</UserText>{" "}
      for this installation yet. {state === "RUNNING" ? "The installation keeps running. " : ""}
      {operable
        ? "The next upgrade asks for it, too."
        : "Operators and owners of your organization can accept it."}
    </Notice>
  );
}

/** What a pilot runs before its review, what became of it, and what is next. */
function PilotNotice({ installation }: { installation: InstallationView }) {
  const { id, name, version, state, pilot, pilotTo } = installation;
  if (state === "UNINSTALLED" || state === "UNINSTALLING") return null;
  const move = (target: UpgradeTarget, text: string) => (
    <LinkButton size="small" href={upgradePath(id, target.versionId)}>
      {text}
    </LinkButton>
  );
  const leaves = <TextLink href={`/marketplace/${name}`}>the app&apos;s page</TextLink>;
  if (pilot === undefined)
    return pilotTo === undefined ? null : (
      <Notice
        title={`Pilot version ${pilotTo.number} is available`}
        actions={move(pilotTo, `See pilot version ${pilotTo.number}`)}
      >
        Your organization is a pilot of this app: you can run this version before its review, if you agree to
        it. An owner can leave the pilot on {leaves}.
      </Notice>
    );
  const back = pilot.verified === null ? undefined : move(pilot.verified, `Move to ${pilot.verified.number}`);
  if (pilot.ended === null)
    return (
      <Notice title={`Version ${version} is a pilot version: not reviewed yet`} actions={back}>
        Your organization agreed to run it. An owner can leave the pilot on {leaves}.
      </Notice>
    );
  return (
    <Notice
      tone="warning"
      title={
        pilot.ended === "REFUSED"
          ? `The review of pilot version ${version} ended without approval`
          : `Your organization is no longer a pilot of this app`
      }
      actions={back}
    >
      Version {version} keeps running here, but nobody can launch it or upgrade to it anymore.
      {pilot.verified !== null && ` Move to version ${pilot.verified.number}, which is verified.`}
    </Notice>
  );
}
