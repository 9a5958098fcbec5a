import { Badge } from "@/components/ui/badge";
import { LinkButton, TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import type { UpgradeTarget } from "@/lib/contract/installations/configuration-view";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { upgradePath } from "./describe-installation";

/** Marks what no moderator verified. `isRefused`: its review has ended. */
export function PilotBadge({ isRefused = false }: { isRefused?: boolean }) {
  return (
    <Badge tone="warning">
      {isRefused ? "Pilot version: not approved" : "Pilot version: not reviewed yet"}
    </Badge>
  );
}

/** What a pilot runs before its review, what became of it, and what is next. */
export function PilotNotice({ installation }: { installation: InstallationView }) {
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
